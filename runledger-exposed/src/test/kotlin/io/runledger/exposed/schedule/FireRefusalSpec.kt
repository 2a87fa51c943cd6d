package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant

/** One schedule whose job or run the database refuses, by a rule of the service's own, does not stop the others. */
class FireRefusalSpec :
    FunSpec({
        val ledger = freshLedger().define("report")
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val report = JobType.builder("report", Json::class.java).build()
        val past = Instant.parse("2026-01-01T00:00:00Z")

        fun save(name: String, payload: String = "{}") = schedules.upsert(
            ScheduleRequest.builder(name, "report", Json.of(payload)).every(Duration.ofHours(1)).firstFireAt(past).build(),
        )

        fun rule(table: String, check: String, work: () -> Unit) {
            ledger.run("ALTER TABLE runledger.$table ADD CONSTRAINT of_the_service CHECK ($check)")
            try {
                work()
            } finally {
                ledger.run("ALTER TABLE runledger.$table DROP CONSTRAINT of_the_service")
            }
        }

        beforeTest { ledger.run("DELETE FROM runledger.job_schedules", "DELETE FROM runledger.job_queue") }

        test("the refused one is deferred with the reason and fires its instant when it may, the others fire now") {
            save("a")
            save("bad", """{"region": "nowhere"}""")
            save("c")
            rule("job_queue", "payload ->> 'region' IS DISTINCT FROM 'nowhere'") {
                val pass = due.fire(10)

                pass.schedules() shouldBe 3
                pass.fired() shouldHaveSize 2
                pass.deferred().map { it.name() } shouldContainExactly listOf("bad")
                val line = schedules.fires(global, "bad").items().single()
                line.outcome() shouldBe FireOutcome.DEFERRED
                line.errorCode() shouldBe pass.deferred().single().code().wire()
                due.fire(10).schedules() shouldBe 0
            }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() WHERE name = 'bad'")
            due.fire(10).fired().single().scheduledFor() shouldBe past
        }

        test("a workflow that is refused is deferred as a job is") {
            save("a")
            val workflow = WorkflowRequest.builder("closing").apply { job("only", report, Json.EMPTY_OBJECT) }.build()
            schedules.upsert(ScheduleRequest.builder("w", workflow).every(Duration.ofHours(1)).firstFireAt(past).build())
            rule("workflow_runs", "workflow_type <> 'closing'") {
                val pass = due.fire(10)
                pass.fired() shouldHaveSize 1
                pass.deferred().map { it.name() } shouldContainExactly listOf("w")
            }
            ledger.client.verify().isSound shouldBe true
        }

        test("one that cannot even be deferred is left alone, and the pass fails once nothing else is left") {
            save("a")
            val bad = save("bad").id()
            rule("job_schedule_fires", "schedule_id <> '$bad'") {
                due.fire(10).schedules() shouldBe 1
                shouldRefuse(ErrorCode.DB_RULE) { due.fire(10) }
            }
            due.fire(10).fired() shouldHaveSize 1
        }
    })
