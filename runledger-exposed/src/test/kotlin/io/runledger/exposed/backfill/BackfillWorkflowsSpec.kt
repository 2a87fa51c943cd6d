package io.runledger.exposed.backfill

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant

class BackfillWorkflowsSpec :
    FunSpec({
        val flow = flow()
        val ledger = flow.ledger
        val schedules = flow.client.schedules
        val due = flow.client.dueSchedules
        val everything = Scope.everything()
        val past = Instant.parse("2025-01-01T00:00:00Z")
        val hour = Duration.ofHours(1)

        fun save(settings: ScheduleRequest.Builder.() -> Unit = {}) = schedules.upsert(
            everything,
            ScheduleRequest.builder("s", workflow { job("only") { it.runs("work", mapOf("n" to 1)) } })
                .every(hour).firstFireAt(past).apply(settings).build(),
        )

        fun backfill(hours: Long, again: Boolean = false) =
            schedules.backfill(everything, "s", past, past + hour.multipliedBy(hours), "the outage", again)

        fun instantsOfRuns() =
            ledger.rows("SELECT metadata -> '_schedule' ->> 'scheduled_for' FROM runledger.workflow_runs ORDER BY 1")

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.workflow_runs",
                "DELETE FROM runledger.job_queue",
                "UPDATE runledger.job_definitions SET is_enabled = true",
            )
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        test("each instant starts a run that knows it, and none that the schedule has started starts again") {
            save { fireAllMisfires(2) }
            due.fire(10).fired() shouldHaveSize 2

            backfill(5) shouldBe BackfillReport(5, 3, 2, 0)
            backfill(5) shouldBe BackfillReport(5, 0, 5, 0)

            instantsOfRuns() shouldContainExactly (0L..4L).map { (past + hour.multipliedBy(it)).toString() }
            val lines = schedules.fires(everything, "s").items().filter { it.cause() == FireCause.BACKFILL }
            lines.map { it.scheduledFor() } shouldContainExactly (4L downTo 2L).map { past + hour.multipliedBy(it) }
            lines.forEach {
                ledger.value(
                    "SELECT metadata -> '_schedule' ->> 'scheduled_for' FROM runledger.workflow_runs WHERE id = '${it.runId()}'",
                )
                    .shouldBe(it.scheduledFor().toString())
            }
            ledger.rows("SELECT DISTINCT payload ->> 'n' FROM runledger.workflow_steps") shouldContainExactly listOf("1")
        }

        test("a run is not started again if only the line of its instant is gone, unless it is asked for") {
            save { fireAllMisfires(2) }
            due.fire(10)
            ledger.run("DELETE FROM runledger.job_schedule_fires")

            backfill(2) shouldBe BackfillReport(2, 0, 2, 0)
            instantsOfRuns() shouldHaveSize 2

            ledger.run("DELETE FROM runledger.workflow_runs", "DELETE FROM runledger.job_queue")
            backfill(3).fired() shouldBe 3
            backfill(3, again = true).fired() shouldBe 3
            instantsOfRuns() shouldHaveSize 6
        }

        test("two backfills and a schedule that is moved back start each run once") {
            save { fireAllMisfires(20) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '2199-01-01T00:00:00Z'")

            val reports = racing(2) { backfill(250) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '${past + hour.multipliedBy(240)}'")
            due.fire(10).fired().first().scheduledFor() shouldBe past + hour.multipliedBy(250)

            reports.sumOf { it.fired() } shouldBe 250
            instantsOfRuns().distinct() shouldHaveSize instantsOfRuns().size
        }

        test("if a job type of the workflow is disabled, nothing starts") {
            save()
            ledger.run(
                "UPDATE runledger.job_schedules SET next_fire_at = '2199-01-01T00:00:00Z'",
                "UPDATE runledger.job_definitions SET is_enabled = false",
            )

            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { backfill(2) }

            instantsOfRuns().shouldBeEmpty()
            schedules.fires(everything, "s").items().shouldBeEmpty()
        }
    })
