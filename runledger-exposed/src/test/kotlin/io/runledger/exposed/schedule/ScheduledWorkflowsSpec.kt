package io.runledger.exposed.schedule

import io.runledger.exposed.dueSchedules

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.define
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStage
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ScheduledWorkflowsSpec :
    FunSpec({
        val flow = flow()
        val ledger = flow.ledger.define("other")
        val schedules = flow.client.schedules
        val due = flow.client.dueSchedules
        val everything = Scope.everything()
        val past = Instant.parse("2026-01-01T00:00:00Z")
        val hourly = Duration.ofHours(1)

        fun save(name: String, workflow: WorkflowRequest, settings: ScheduleRequest.Builder.() -> Unit = {}) = schedules.upsert(
            everything,
            ScheduleRequest.builder(name, workflow).every(hourly).firstFireAt(past).apply(settings).build(),
        )

        fun single(type: String = "work") = workflow { job("only") { it.runs(type, mapOf("n" to 1)) } }

        fun runs() = ledger.value("SELECT count(*) FROM runledger.workflow_runs").toInt()

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.workflow_runs",
                "DELETE FROM runledger.job_queue",
                "UPDATE runledger.job_definitions SET is_enabled = true",
            )
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a fire starts the run that was asked for, step for step, and tells it which fire it is") {
            val organization = UUID.randomUUID()
            val request = workflow {
                organization(organization)
                metadata(Json.of("""{"by": "the clock", "exact": 12345678901234567890.123456789}"""))
                context(Json.of("""{"region": "north", "exact": 0.10000000000000000001}"""))
                contextMerge(ContextMerge.KEEP)
                val z = work("z") { payload(mapOf("file" to "a.csv")) }
                val gate = gate("gate", z) {
                    expiresAfter(Duration.ofHours(2), GateExpiry.CANCELED)
                    onlyIf(Condition.context("region").equalTo("north"))
                }
                val last = job("a") {
                    it.runs("other", listOf(1, 2)).after(gate).uses(z, Input.of("rows", Int::class.javaObjectType))
                        .priority(3).maxAttempts(4).timeout(Duration.ofSeconds(5)).delay(Duration.ofSeconds(6))
                        .stage(JobStage.RUNNING).retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(7), 2.0)).mayContinue()
                        .onlyIf(Condition.anyOf(z.succeeded(), z.output("rows").greaterThan(70.5)))
                }
                result(last)
            }
            val saved = save("nightly", request)
            saved.kind() shouldBe ScheduleKind.WORKFLOW
            saved.workflowType() shouldBe request.type()
            saved.organizationId() shouldBe organization

            val fire = due.fire(10).fired().single()

            val started = checkNotNull(fire.runId())
            fire.jobId() shouldBe null
            schedules.get(everything, "nightly").lastRunId() shouldBe started
            val byHand = flow.start(request)
            fun steps(run: UUID) = ledger.rows(
                "SELECT ordinal, step_key, execution_kind, status, organization_id, job_type, priority, max_attempts, " +
                    "timeout_seconds, delay_seconds, stage, retry_policy, allow_handler_continuation, expires_after_seconds, " +
                    "expiry_outcome, condition, CASE jsonb_typeof(payload) WHEN 'object' THEN payload - '_schedule' ELSE payload END " +
                    "FROM runledger.workflow_steps WHERE workflow_run_id = '$run' ORDER BY ordinal",
            )
            fun edges(run: UUID) = ledger.rows(
                "SELECT p.step_key, s.step_key, release_mode, input_name FROM runledger.workflow_step_dependencies d " +
                    "JOIN runledger.workflow_steps p ON p.id = d.prerequisite_step_id " +
                    "JOIN runledger.workflow_steps s ON s.id = d.dependent_step_id " +
                    "WHERE d.workflow_run_id = '$run' ORDER BY 1, 2",
            )
            steps(started) shouldContainExactly steps(byHand)
            edges(started) shouldContainExactly edges(byHand)
            fun context(run: UUID) = ledger.value("SELECT context, context_merge FROM runledger.workflow_runs WHERE id = '$run'")
            context(started) shouldBe context(byHand)
            val facts = """{"schedule_id": "${saved.id()}", "schedule_name": "nightly", "scheduled_for": "$past"}"""
            ledger.value(
                "SELECT organization_id, idempotency_key, result_step_key, metadata FROM runledger.workflow_runs " +
                    "WHERE id = '$started'",
            ) shouldBe "$organization|schedule/${saved.id()}/$past|a|" +
                """{"by": "the clock", "exact": 12345678901234567890.123456789, "_schedule": $facts}"""
            ledger.rows("SELECT payload FROM runledger.workflow_steps WHERE workflow_run_id = '$started' ORDER BY ordinal")
                .shouldContainExactly("""{"file": "a.csv", "_schedule": $facts}""", """{"_schedule": $facts}""", "[1, 2]")
        }

        test("missed fires are made up for, each with a run of its own, and overlap SKIP waits for the last run to end") {
            save("all", single()) { fireAllMisfires(3) }
            due.fire(10).fired().map { it.scheduledFor() } shouldContainExactly
                (0L..2L).map { past.plus(hourly.multipliedBy(it)) }
            runs() shouldBe 3

            save("one", single()) { overlap(OverlapPolicy.SKIP) }
            due.fire(10).fired() shouldHaveSize 1
            schedules.retime(everything, "one", past.plusSeconds(1))
            due.fire(10).skipped().first().outcome() shouldBe FireOutcome.SKIPPED_OVERLAP
            flow.client.workflows.cancel(everything, checkNotNull(schedules.get(everything, "one").lastRunId()))
            schedules.retime(everything, "one", past.plusSeconds(2))
            due.fire(10).fired() shouldHaveSize 1
        }

        test("an instant that was handled before starts no second run, even when its line or its run is gone") {
            save("nightly", single())
            val first = due.fire(10).fired().single()
            schedules.retime(everything, "nightly", past)
            due.fire(10).fired().shouldBeEmpty()

            ledger.run("DELETE FROM runledger.job_schedule_fires")
            schedules.retime(everything, "nightly", past)
            due.fire(10).fired().single().runId() shouldBe first.runId()
            runs() shouldBe 1

            ledger.run("DELETE FROM runledger.workflow_runs", "DELETE FROM runledger.job_queue")
            schedules.retime(everything, "nightly", past)
            due.fire(10).fired().shouldBeEmpty()
            runs() shouldBe 0
        }

        test("what cannot start is deferred, tells why, and fires for its own instant once it can; others go on") {
            save("broken", single("other"))
            save("fine", single())
            save("unreadable", single())
            ledger.run(
                "UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = 'other'",
                "UPDATE runledger.job_schedules SET workflow_request = '{\"order\": [\"gone\"]}' WHERE name = 'unreadable'",
            )

            repeat(2) {
                val pass = due.fire(10)
                pass.deferred().associate { it.name() to it.code() } shouldBe mapOf(
                    "broken" to ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE,
                    "unreadable" to ErrorCode.DB_RULE,
                )
                ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() WHERE deferred_from IS NOT NULL")
            }

            runs() shouldBe 1
            val waiting = schedules.fires(everything, "broken").items().single()
            waiting.outcome() shouldBe FireOutcome.DEFERRED
            waiting.scheduledFor() shouldBe past
            waiting.times() shouldBe 2
            waiting.errorCode() shouldBe ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.wire()

            ledger.run("UPDATE runledger.job_definitions SET is_enabled = true")
            due.fire(10).fired().single().scheduledFor() shouldBe past

            val fired = schedules.fires(everything, "broken").items().last()
            fired.outcome() shouldBe FireOutcome.FIRED
            fired.times() shouldBe 3
            fired.reason() shouldBe waiting.reason()
            fired.runId() shouldNotBe null
            schedules.get(everything, "broken").deferredFrom() shouldBe null
        }

        test("fired by hand it starts a run at once, each time another") {
            save("nightly", single()) { active(false) }

            val fires = List(2) { schedules.fireNow(everything, "nightly", "asked for") }

            fires.mapNotNull { it.runId() }.toSet() shouldHaveSize 2
            schedules.fires(everything, "nightly").items() shouldContainExactly fires.reversed()
            schedules.get(everything, "nightly").lastRunId() shouldBe fires.last().runId()
        }

        test("a workflow with a key of its own, or of types that are not there, is refused; an active one keeps its types on") {
            listOf(workflow { work("a").also { activeKey("k") } }, workflow { work("a").also { idempotencyKey("k") } }).forEach {
                shouldRefuse(ErrorCode.INVALID_SCHEDULED_WORKFLOW) { ScheduleRequest.builder("s", it).cron("@daily").build() }
            }
            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { save("s", single("unheard-of")) }
            save("s", single("other"))
            shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) { flow.client.definitions.disable("other") }
            schedules.pause(everything, "s")
            flow.client.definitions.disable("other")
            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { schedules.resume(everything, "s") }
            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { schedules.fireNow(everything, "s") }
        }

        test("a schedule of jobs may become one of workflows, and one of gates alone needs no type") {
            schedules.upsert(ScheduleRequest.builder("s", "work", Json.NULL).cron("@daily").build())
            save("s", workflow { gate("sign") }).jobType() shouldBe null
            due.fire(10).fired().single().runId() shouldNotBe null
        }

        test("a pass over a hundred workflows of five steps is seven statements") {
            val chain = workflow { (1..5).fold(work("s1")) { before, n -> work("s${n + 1}", before) } }
            val requests = (1..100).map { ScheduleRequest.builder("many-$it", chain).every(hourly).firstFireAt(past).build() }
            schedules.sync(everything, requests)
            val counting = CountingDataSource(ledger.dataSource)
            val counted = RunledgerClient.create(counting.dataSource).dueSchedules
            counted.untilNextFire()

            counting.count { counted.fire(100).fired() shouldHaveSize 100 } shouldBe 7

            runs() shouldBe 100
        }
    })
