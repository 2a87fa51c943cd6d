package io.runledger.exposed.schedule

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors

class FireRaceSpec :
    FunSpec({
        val ledger = freshLedger()
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val past = Instant.parse("2026-01-01T00:00:00Z")
        val workers = autoClose(AutoCloseableExecutor(4))

        fun requests(names: Int) = (1..names).map {
            ScheduleRequest.builder("s$it", "report", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).firstFireAt(past).build()
        }

        fun makeDue(from: String, seconds: Int) = ledger.run(
            "UPDATE runledger.job_schedules SET next_fire_at = '$from'::timestamptz + interval '1 second' * $seconds",
        )

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.job_queue",
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('report') ON CONFLICT DO NOTHING",
            )
            schedules.sync(Scope.everything(), requests(4))
        }

        test("racing schedulers make exactly one job for each schedule and instant") {
            val rounds = 300
            val barrier = CyclicBarrier(2)
            repeat(rounds) { round ->
                makeDue("2026-01-01T00:00:00Z", round)
                val passes = workers.both { barrier.await().let { due.fire(3) } }
                passes.sumOf { it.fired().size } shouldBeLessThan 5
                due.fire(10)
            }

            ledger.value("SELECT count(*), count(DISTINCT payload -> '_schedule') FROM runledger.job_queue") shouldBe
                "${4 * rounds}|${4 * rounds}"
            ledger.value("SELECT count(*), count(DISTINCT job_id) FROM runledger.job_schedule_fires WHERE outcome = 'FIRED'")
                .shouldBe("${4 * rounds}|${4 * rounds}")
        }

        test("a scheduler that dies half-way leaves nothing behind, and another does it all") {
            repeat(50) { round ->
                makeDue("2026-02-01T00:00:00Z", round)
                val dying = ledger.dataSource.connection
                dying.autoCommit = false
                ledger.client.within(dying).dueSchedules.fire(2).fired().size shouldBe 2
                due.fire(10).fired().size shouldBe 2
                dying.abort(Runnable::run)
                // Wait until the server has noticed, by locking the rows that the session held.
                ledger.run("UPDATE runledger.job_schedules SET name = name")

                due.fire(10).fired().size shouldBe 2
                due.fire(10).schedules() shouldBe 0
            }
            ledger.value("SELECT count(*), count(DISTINCT payload -> '_schedule') FROM runledger.job_queue") shouldBe "200|200"
        }

        test("a pass that the server ends in the middle is as if it had not been") {
            val connection = ledger.dataSource.connection
            connection.autoCommit = false
            val pid = connection.createStatement().use { statement ->
                statement.executeQuery("SELECT pg_backend_pid()").use { rows -> rows.apply { next() }.getInt(1) }
            }
            ledger.client.within(connection).dueSchedules.fire(10)
            ledger.value("SELECT pg_terminate_backend($pid, 10000)") shouldBe "t"

            shouldThrow<java.sql.SQLException> { connection.commit() }

            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
            due.fire(10).fired().size shouldBe 4
        }

        test("an active schedule and the disabling of its type never both happen") {
            repeat(40) { round ->
                val type = "type-$round"
                ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('$type')")
                val request = ScheduleRequest.builder("race-$round", type, Json.NULL).cron("@daily").build()
                val barrier = CyclicBarrier(2)
                workers.all(
                    {
                        barrier.await()
                        try {
                            schedules.upsert(request)
                        } catch (refused: RunledgerException) {
                            refused.code() shouldBe ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE
                        }
                    },
                    {
                        barrier.await()
                        ledger.dataSource.connection.use { connection ->
                            connection.autoCommit = false
                            connection.createStatement().use { statement ->
                                statement.execute("SELECT 1 FROM runledger.job_definitions WHERE job_type = '$type' FOR UPDATE")
                                statement.execute(
                                    "UPDATE runledger.job_definitions d SET is_enabled = false WHERE job_type = '$type' " +
                                        "AND NOT EXISTS (SELECT FROM runledger.job_schedules s " +
                                        "WHERE s.job_type = d.job_type AND s.is_active)",
                                )
                            }
                            connection.commit()
                        }
                    },
                )
                ledger.value(
                    "SELECT count(*) FROM runledger.job_schedules s JOIN runledger.job_definitions d USING (job_type) " +
                        "WHERE s.is_active AND NOT d.is_enabled",
                ) shouldBe "0"
            }
        }

        test("racing saves of one new name give one schedule") {
            val barrier = CyclicBarrier(2)
            repeat(50) { round ->
                val request = ScheduleRequest.builder("new-$round", "report", Json.NULL).cron("@daily").build()
                val saved = workers.both { barrier.await().let { schedules.upsert(request) } }
                saved.map { it.id() }.distinct().size shouldBe 1
            }
        }

        test("a schedule held by another session is left to it") {
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.createStatement().use {
                    it.execute("SELECT 1 FROM runledger.job_schedules WHERE name = 's1' FOR UPDATE")
                }
                due.fire(10).fired().size shouldBe 3
                connection.rollback()
            }
            due.fire(10).fired().size shouldBe 1
            shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.pause(Scope.everything(), "s5") }
        }
    })

private class AutoCloseableExecutor(threads: Int) : AutoCloseable {
    private val executor = Executors.newFixedThreadPool(threads)

    fun <T> both(work: () -> T): List<T> = executor.invokeAll(listOf(Callable(work), Callable(work))).map { it.get() }

    fun all(vararg works: () -> Unit) = executor.invokeAll(works.map { work -> Callable { work() } }).forEach { it.get() }

    override fun close() {
        executor.shutdownNow()
    }
}
