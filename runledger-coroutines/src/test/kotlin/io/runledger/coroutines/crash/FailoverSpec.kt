package io.runledger.coroutines.crash

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContainDuplicates
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.until
import io.runledger.coroutines.working
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.postgres.PostgresDatabase
import io.runledger.postgres.TestPostgres
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import java.sql.SQLException
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** How the primary is lost. */
private enum class Loss(val how: String) {
    KILLED("kill -9 in the middle of whatever it did"),
    KILLED_AHEAD("kill -9 while commits wait because nothing reaches its standby"),
    CUT_OFF("frozen, and awake again when its standby has taken over"),
}

/** How often; unless given, once in each way. */
private val failovers = Integer.getInteger("runledger.failovers", Loss.entries.size)

class FailoverSpec :
    FunSpec({
        val postgres = InstalledPostgres.newest
        val missing = "No PostgreSQL with pg_basebackup is installed in /usr/lib/postgresql."
        if (postgres == null) println("FailoverSpec is skipped: $missing")

        test(
            "when the standby takes over nothing acknowledged is lost, nothing is done twice, and workers carry on by themselves",
        )
            .config(enabledOrReasonIf = { if (postgres != null) Enabled.enabled else Enabled.disabled(missing) }) {
                val pair = autoClose(ReplicatedPostgres.start(postgres!!))
                val ledger = autoClose(TestLedger(TestPostgres.on(pair).freshDatabase(), poolSize = 4))
                ledger.prepare()
                val pool = autoClose(ledger.database.patientPool(size = 15))
                val client = ledger.clientOn(pool)
                val traffic = Traffic(autoClose(ledger.database.patientPool(size = 1))) { }
                val committed = ConcurrentLinkedQueue<String>()
                repeat(PROCESSES) { autoClose(DoomedJvm.start(FailoverProgram::class, ledger.database)).overhear(committed::add) }
                val site = Site(pair, ledger.database.name, client)

                working(client, pool.effects { committed += "$it" }, hasty) {
                    goingOn(traffic, isFull = { ledger.hasEnough() }) {
                        repeat(failovers) {
                            if (it > 0) pair.pairUp()
                            site.awaitWork()
                            site.fail(Loss.entries[it % Loss.entries.size])
                        }
                    }
                    ledger.client.schedules.pause(Scope.global(), "tick")
                    traffic.finish()
                    until("everything has ended") { ledger.count(OPEN_JOBS) == 0L }
                }

                ledger.shouldHaveKeptAll(traffic)
                committed.toList().shouldNotContainDuplicates()
                ledger.rows("SELECT job_id FROM effects") shouldContainAll committed
                traffic.unanswered shouldBeGreaterThan 0
                println("Failover: ${ledger.client.verify()}; ${traffic.unanswered} calls asked again.\n${site.report()}")
            }
    })

private fun PostgresDatabase.patientPool(size: Int) = HikariDataSource(
    HikariConfig().apply {
        dataSource = dataSource()
        maximumPoolSize = size
        bePatient()
    },
)

private fun TestLedger.prepare() {
    client.migrate()
    define(effect)
    run("CREATE TABLE effects (job_id uuid NOT NULL)")
    client.schedules.upsert(ScheduleRequest.builder("tick", effect, Json.EMPTY_OBJECT).every(Duration.ofSeconds(2)).build())
}

private fun TestLedger.hasEnough(): Boolean = try {
    count(OPEN_JOBS) > MOST_OPEN
} catch (_: SQLException) {
    false
}

/** Does [work] while a service keeps calling, and returns after its last answer. */
private suspend fun goingOn(traffic: Traffic, isFull: () -> Boolean, work: suspend () -> Unit) = coroutineScope {
    val isEnough = AtomicBoolean()
    val service = async(Dispatchers.IO) { while (!isEnough.get()) if (isFull()) delay(20.milliseconds) else traffic.round() }
    try {
        work()
        isEnough.set(true)
        service.await()
    } finally {
        isEnough.set(true)
        traffic.isOver = true
    }
}

/** The servers, and the functions that control them. */
private class Site(private val pair: ReplicatedPostgres, private val database: String, private val client: RunledgerClient) {
    private val pauses = mutableListOf<Pair<Loss, kotlin.time.Duration>>()

    suspend fun fail(loss: Loss) {
        val lost = pair.primary
        refusesAtStandby()
        val begin = TimeSource.Monotonic.markNow()
        when (loss) {
            Loss.KILLED -> lost.kill()

            Loss.KILLED_AHEAD -> {
                lost.holdBack()
                until("commits wait for the standby") { count(WAITING) >= PROCESSES }
                lost.kill()
            }

            Loss.CUT_OFF -> lost.freeze()
        }
        pair.promote()
        awaitWork()
        pauses += loss to begin.elapsedNow()
        if (loss == Loss.CUT_OFF) lost.acknowledgesNothing()
        until("changes are heard of again") { client.signals.isListening }
    }

    /** Returns when each worker has ended attempts from now on. */
    suspend fun awaitWork() {
        val begin = pair.primary.ask("SELECT clock_timestamp()")
        val ended = "runledger.job_attempts WHERE finished_at >= '$begin'"
        until("every worker works") { count("(SELECT DISTINCT worker_id FROM $ended) workers") == PROCESSES + 1 }
        until("work goes on") { count(ended) >= 30 }
    }

    fun report(): String = pauses.groupBy({ it.first }, { it.second }).entries.joinToString("\n") { (loss, pauses) ->
        "| ${loss.name.lowercase().replace('_', ' ')} | ${loss.how} | ${pauses.size} | ${pauses.max()} |"
    }

    private fun count(what: String): Int = checkNotNull(pair.primary.ask("SELECT count(*) FROM $what", database)).toInt()

    private fun refusesAtStandby() {
        val failure = shouldThrow<RunledgerException> { pair.standby.client().jobs.enqueue(Traffic.single(LATE)) }

        failure.code() shouldBe ErrorCode.DB_READ_ONLY
        failure.isTransient shouldBe true
    }

    /** Calls the former primary, also for existing rows: it cannot answer, and the call ends without a result. */
    private suspend fun Replica.acknowledgesNothing() = coroutineScope {
        wake()
        val questions = listOf<RunledgerClient.() -> Unit>(
            { jobs.enqueue(Traffic.single(LATE)) },
            { jobs.enqueue(Traffic.single("job-1-0")) },
            { workflows.enqueue(Traffic.fan("run-1")) },
        )
        val answers = questions.map { async(Dispatchers.IO) { shouldThrow<RunledgerException> { client().it() } } }
        until("it waits for its standby") {
            ask("SELECT count(*) FROM $WAITING AND application_name = '$LATE'") == "${questions.size}"
        }
        kill()
        answers.awaitAll().forEach { it.code() shouldBe ErrorCode.DB_UNREACHABLE }
    }

    private fun Replica.client(): RunledgerClient {
        val own = dataSource(database) {
            applicationName = LATE
            socketTimeout = 60
        }
        return RunledgerClient.builder(own).notifications(false).build()
    }

    private companion object {
        const val LATE = "late"
        const val WAITING = "pg_stat_activity WHERE wait_event = 'SyncRep'"
    }
}

private const val PROCESSES = 2
private const val MOST_OPEN = 100L
