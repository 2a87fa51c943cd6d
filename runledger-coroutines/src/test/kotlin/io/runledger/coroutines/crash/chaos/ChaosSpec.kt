package io.runledger.coroutines.crash.chaos

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.crash.OPEN_JOBS
import io.runledger.coroutines.crash.count
import io.runledger.coroutines.until
import io.runledger.model.ledger.Scope
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.TestPostgres
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import kotlin.random.Random
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/** How long faults go on: an ISO duration such as PT1H; unless given, until each fault has happened once. */
private val chaos = System.getProperty("runledger.chaos")?.let(Duration::parse) ?: Duration.ZERO
private val seed = java.lang.Long.getLong("runledger.seed", System.nanoTime())

class ChaosSpec :
    FunSpec({
        val limit = chaos.toKotlinDuration() + 15.minutes
        test(
            "whatever fails, nothing acknowledged is lost, nothing is done twice, and the ledger agrees",
        ).config(timeout = limit, invocationTimeout = limit) {
            val server = autoClose(EmbeddedPostgres.builder().durable().start())
            val ledger = autoClose(TestLedger(TestPostgres.on(UnlimitedSessions(server)).freshDatabase(), poolSize = 4))
            ledger.prepareForChaos()
            val random = Random(seed)
            val begun = ConcurrentHashMap.newKeySet<String>()
            val crews = List(2) { autoClose(Crew("$CREW-$it", ledger.database, begun::add)) }
            val jobs = Acknowledged()
            val runs = Acknowledged()
            val callers = List(2) { autoClose(Caller(ledger.database, jobs, runs)) }
            val traffic = ChaosTraffic(ledger, callers.first(), Random(seed + 1))
            val repeated = autoClose(RepeatedKeys(callers.last()))
            val site = Site(ledger, server, crews, callers, traffic, random)
            val checks = ChaosChecks(ledger, traffic, jobs, runs, begun)
            val faultCounts = FaultCounts(ledger)

            withClue("seed $seed") {
                site.goOn()
                val begin = TimeSource.Monotonic.markNow()
                do {
                    Fault.possible.shuffled(random).forEach {
                        explaining("seed $seed, at $it", ledger, crews) {
                            faultCounts.count(it)
                            site.happen(it)
                            site.goOn()
                            repeated.check()
                        }
                    }
                    // The checker finds no contradiction during the faults either.
                    ledger.client.verify().contradictions().shouldBeEmpty()
                    checks.nothingDoubled()
                    checks.nothingBegunInPause()
                } while (begin.elapsedNow() < chaos.toKotlinDuration())
                repeated.stop()
                SCHEDULES.forEach { ledger.client.schedules.pause(Scope.global(), it) }
                traffic.finish()
                until("every item of the inbox was found") { ledger.count(UNFOUND) == 0L }
                until("everything has ended") { ledger.count(OPEN_JOBS) + ledger.count(OPEN_RUNS) == 0L }

                checks.settle()
                jobs.missed + runs.missed shouldBeGreaterThan CALLERS_ROUNDS
                ledger.count("gone.workflow_runs") shouldBeGreaterThan 0
            }
            println("Chaos, seed $seed: ${checks.size()}; ${jobs.missed + runs.missed} calls asked again.")
            println(faultCounts.report())
        }
    })

/** An assertion that fails says [where], and what the ledger, its sessions and its workers do at that moment. */
private suspend fun explaining(where: String, ledger: TestLedger, crews: List<Crew>, work: suspend () -> Unit) = try {
    work()
} catch (failure: AssertionError) {
    val rows = listOf(
        "SELECT status, count(*), min(next_run_at), max(lease_expires_at) FROM runledger.job_queue GROUP BY status",
        "SELECT job_type, status, count(*) FROM runledger.job_queue WHERE status IN ('PENDING', 'LEASED') GROUP BY 1, 2",
        "SELECT worker_id, state, busy_slots, beat_at, now() FROM runledger.workers",
        "SELECT pid, application_name, state, wait_event, now() - xact_start, left(query, 120) FROM pg_stat_activity",
        "SELECT l.pid, l.locktype, l.mode, l.granted FROM pg_locks l WHERE NOT l.granted",
    ).flatMap { sql -> runCatching { ledger.rows(sql) }.getOrElse { listOf("$it") } }
    throw AssertionError("$where: ${failure.message}\n${(rows + crews.map { it.diagnosis() }).joinToString("\n")}", failure)
}

private const val OPEN_RUNS = "runledger.workflow_runs WHERE finished_at IS NULL"
private const val UNFOUND = "inbox i WHERE NOT EXISTS (SELECT FROM effects e WHERE e.tag = i.tag)"
