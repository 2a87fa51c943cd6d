package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.racing
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant

class ScheduledRunRacesSpec :
    FunSpec({
        val flow = flow()
        val ledger = flow.ledger
        val schedules = flow.client.schedules
        val due = flow.client.dueSchedules
        val past = Instant.parse("2026-01-01T00:00:00Z")
        val names = (1..4).map { "s$it" }

        fun makeDue(round: Int) = ledger.run(
            "UPDATE runledger.job_schedules SET next_fire_at = '$past'::timestamptz + interval '1 second' * $round",
        )

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.workflow_runs",
                "DELETE FROM runledger.job_queue",
            )
            val chain = workflow { work("second", work("first")) }
            schedules.sync(
                Scope.everything(),
                names.map { ScheduleRequest.builder(it, chain).every(Duration.ofHours(1)).firstFireAt(past).build() },
            )
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        test("racing schedulers start exactly one run for each schedule and instant") {
            val rounds = 60
            repeat(rounds) { round ->
                makeDue(round)
                racing(3) { due.fire(2) }
                due.fire(10)
            }

            ledger.value("SELECT count(*), count(DISTINCT metadata -> '_schedule') FROM runledger.workflow_runs") shouldBe
                "${4 * rounds}|${4 * rounds}"
            ledger.value("SELECT count(*), count(DISTINCT run_id) FROM runledger.job_schedule_fires WHERE outcome = 'FIRED'")
                .shouldBe("${4 * rounds}|${4 * rounds}")
        }

        test("a scheduler that dies half-way leaves neither run nor line, and another does it all") {
            repeat(20) { round ->
                makeDue(round)
                val dying = ledger.dataSource.connection
                dying.autoCommit = false
                flow.client.within(dying).dueSchedules.fire(2).fired().size shouldBe 2
                due.fire(10).fired().size shouldBe 2
                dying.abort(Runnable::run)
                // Wait until the server has noticed, by locking the rows that the session held.
                ledger.run("UPDATE runledger.job_schedules SET name = name")

                due.fire(10).fired().size shouldBe 2
            }
            ledger.value("SELECT count(*), count(DISTINCT idempotency_key) FROM runledger.workflow_runs") shouldBe "80|80"
        }

        test("fires by hand and by the clock at the same time each make their own run") {
            makeDue(0)
            racing(4) { n -> if (n == 0) due.fire(10) else schedules.fireNow(Scope.everything(), "s1") }
            due.fire(10)

            ledger.value("SELECT count(*) FROM runledger.workflow_runs") shouldBe "7"
        }
    })
