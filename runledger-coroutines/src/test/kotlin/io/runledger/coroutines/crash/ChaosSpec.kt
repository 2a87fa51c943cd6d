package io.runledger.coroutines.crash

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.until
import io.runledger.model.json.Json
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.Scope
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.TestPostgres
import java.time.Duration
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
            val ledger = autoClose(TestLedger(TestPostgres.on(server).freshDatabase(), poolSize = 4))
            ledger.client.migrate()
            ledger.define(effect)
            ledger.run("CREATE TABLE effects (job_id uuid NOT NULL)")
            // A process that is frozen in the middle of its handler's transaction would otherwise keep its job for ever, also
            // in the middle of what it says to the server: a session with half a message is not idle.
            ledger.run("ALTER DATABASE \"${ledger.database.name}\" SET idle_in_transaction_session_timeout = '4s'")
            if (server.majorVersion >= TRANSACTION_TIMEOUT) {
                ledger.run("ALTER DATABASE \"${ledger.database.name}\" SET transaction_timeout = '20s'")
            }
            ledger.client.schedules.upsert(
                ScheduleRequest.builder("tick", effect, Json.EMPTY_OBJECT).every(Duration.ofSeconds(2)).build(),
            )
            val random = Random(seed)
            val crews = List(2) { autoClose(Crew(ledger.database)) }
            val callers = autoClose(Line(ledger.database))
            val pool = HikariConfig().apply {
                dataSource = callers.dataSource { socketTimeout = 2 }
                maximumPoolSize = 1
                connectionTimeout = 2_000
            }
            val traffic = Traffic(autoClose(HikariDataSource(pool)), callers::loseAnswers)
            val toll = Toll()

            /** Goes on asking for work until so many more attempts have ended. */
            suspend fun goOn(attempts: Int = 30) {
                val begin = ledger.value("SELECT clock_timestamp()")
                until("$attempts more attempts have ended") {
                    if (ledger.count(OPEN_JOBS) < MOST_OPEN) traffic.round()
                    ledger.count("runledger.job_attempts WHERE finished_at >= '$begin'") >= attempts
                }
            }

            suspend fun happen(fault: Fault) {
                val crew = crews.random(random)
                toll.count(fault, ledger)
                when (fault) {
                    Fault.WORKER_KILLED -> crew.kill()

                    Fault.WORKER_FROZEN -> {
                        crew.freeze()
                        val begin = ledger.value("SELECT clock_timestamp()")
                        until("its leases have run out") {
                            ledger.count("runledger.job_queue WHERE status = 'LEASED' AND leased_at < '$begin'") == 0L
                        }
                        crew.wake()
                    }

                    Fault.LINE_CUT -> crew.line.cut()

                    Fault.LINE_SLOW -> {
                        crew.line.delay(millis = 50)
                        goOn()
                        crew.line.delay(millis = 0)
                    }

                    Fault.LINE_HALF_OPEN -> crew.line.forget()

                    Fault.POOL_EXHAUSTED -> {
                        crew.exhaust()
                        goOn()
                        crew.giveBack()
                    }

                    Fault.CLOCK_WRONG -> crew.kill(FakeClock.WRONG.random(random))

                    Fault.ANSWER_LOST -> crew.line.loseAnswers()

                    Fault.CALLER_ANSWER_LOST -> {
                        traffic.isDisturbed = true
                        repeat(CALLERS_ROUNDS) { traffic.round() }
                        traffic.isDisturbed = false
                    }

                    Fault.BACKENDS_TERMINATED -> ledger.run(
                        "SELECT pg_terminate_backend(pid) FROM $SESSIONS",
                    )

                    Fault.SERVER_KILLED -> {
                        server.kill()
                        server.restart()
                    }

                    Fault.SERVER_READ_ONLY -> {
                        ledger.readOnly("SET default_transaction_read_only = on")
                        crews.forEach { it.line.cut() }
                        until("workers are back") { ledger.count(SESSIONS) >= 2 }
                        ledger.readOnly("RESET default_transaction_read_only")
                        crews.forEach { it.line.cut() }
                    }

                    Fault.ERRORS_INJECTED -> {
                        ledger.run(INJECTION)
                        goOn(10)
                        ledger.run("DROP TRIGGER chaos ON runledger.job_attempts")
                    }
                }
            }

            withClue("seed $seed") {
                goOn()
                val begin = TimeSource.Monotonic.markNow()
                do {
                    Fault.possible.shuffled(random).forEach {
                        happen(it)
                        goOn()
                    }
                    // Whoever reads the ledger while all this goes on finds nothing wrong either.
                    ledger.client.verify().contradictions().shouldBeEmpty()
                    ledger.rows(DOUBLED).shouldBeEmpty()
                } while (begin.elapsedNow() < chaos.toKotlinDuration())
                ledger.client.schedules.pause("tick", Scope.global())
                traffic.finish()
                until("everything has ended") { ledger.count(OPEN_JOBS) == 0L }

                ledger.shouldHaveKeptAll(traffic)
                traffic.unanswered shouldBeGreaterThan CALLERS_ROUNDS
            }
            println("Chaos, seed $seed: ${ledger.client.verify()}; ${traffic.unanswered} calls asked again.\n$toll")
        }
    })

private fun TestLedger.readOnly(change: String) = database.connect().use { connection ->
    connection.createStatement().use {
        it.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")
        it.execute("ALTER DATABASE \"${database.name}\" $change")
    }
}

/** Enough for every kind of call. */
private const val CALLERS_ROUNDS = 12
private const val MOST_OPEN = 200L

/** The first version of PostgreSQL that has one. */
private const val TRANSACTION_TIMEOUT = 17
private const val SESSIONS = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

private const val DOUBLED = "SELECT job_id FROM effects GROUP BY job_id HAVING count(*) > 1"

private const val INJECTION = """
    CREATE OR REPLACE FUNCTION chaos() RETURNS trigger LANGUAGE plpgsql AS ${'$'}body${'$'}
    BEGIN
        IF random() < 0.125 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END IF;
        IF random() < 0.125 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40P01'; END IF;
        RETURN NEW;
    END ${'$'}body${'$'};
    CREATE TRIGGER chaos BEFORE INSERT ON runledger.job_attempts FOR EACH ROW EXECUTE FUNCTION chaos()
"""
