package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.ReplayRequest
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.AppendRequest
import java.time.Duration
import java.util.UUID

/** Steps with limits, an order or a queue. */
class LimitedStepsSpec :
    FunSpec({
        val flow = flow()

        beforeSpec {
            flow.ledger.run("INSERT INTO runledger.limits (name, permits, keyed_by) VALUES ('api', 1, 'NONE'), ('customer', 1, 'KEY')")
        }

        beforeTest { flow.cancelEverything() }

        /** The limits and the order of the jobs of a run, by step. */
        fun limits(run: UUID) = flow.ledger.rows(
            "SELECT s.step_key, q.limit_keys, q.order_key FROM runledger.workflow_step_rows s JOIN runledger.job_queue q ON q.id = s.job_id " +
                "WHERE s.workflow_run_id = '$run' ORDER BY s.ordinal",
        )

        test("jobs of steps are limited when they begin with the run, and when they are released") {
            val run = flow.start {
                val first = work("first") { limit("api").limit("customer", "7").orderKey("o") }
                work("second") { limit("api") }
                work("third", first) { limit("customer", "7") }
            }
            val (begun) = flow.claim().values.also { it shouldHaveSize 1 }.toList()
            flow.claim().values.shouldBeEmpty()
            flow.succeed(begun)
            repeat(2) {
                val next = flow.claim()
                next.values.forEach(flow::succeed)
            }
            flow.status(run) shouldBe "SUCCEEDED"
            limits(run) shouldContainExactly listOf("first|{api,customer:7}|work:o", "second|{api}|", "third|{customer:7}|")
        }

        test("a run whose step names an unknown limit is refused, and so is an append; nothing is written") {
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { flow.start { work("a") { limit("nowhere") } } }
            val run = flow.start { gate("window") }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) {
                flow.client.workflows.append(
                    Scope.everything(),
                    AppendRequest.builder(run, "m", "window").apply { work("b") { limit("nowhere") } }.build(),
                )
            }
            flow.steps(run) shouldContainExactly listOf("window WAITING_FOR_EXTERNAL")
        }

        test("a step that is retried, and a run that is recovered, keep their limits and their place in the order") {
            val run = flow.start { work("a") { limit("customer", "7").orderKey("o") } }
            flow.fail(flow.claim().getValue("a"))
            flow.client.workflows.retryFailed(Scope.everything(), run, "k", "mended")
            limits(run) shouldContainExactly listOf("a|{customer:7}|work:o")
            flow.fail(flow.claim().getValue("a"))

            val recovered = flow.client.workflows.recover(Scope.everything(), RecoveryRequest.of(run, "r", "again")).runId()
            limits(recovered) shouldContainExactly listOf("a|{customer:7}|work:o")
            flow.finish("a")
        }

        test("a replay has the limits of its source") {
            val job = flow.client.jobs.enqueue(
                JobRequest.builder("work", Json.EMPTY_OBJECT).limit("customer", "7").orderKey("o").queue("imports").shareKey("s").build(),
            ).id()
            flow.ledger.run("UPDATE runledger.job_queue SET status = 'SUCCEEDED', finished_at = now() WHERE id = '$job'")
            flow.client.jobs.replay(Scope.everything(), ReplayRequest(job, 1, "k", "again"))
            val replay = flow.ledger.value("SELECT replay_job_id FROM runledger.job_replays WHERE source_job_id = '$job'")
            val columns = "flow_group, queue, limit_keys, order_key, holds_order, share_key"
            flow.ledger.value("SELECT $columns FROM runledger.job_queue WHERE id = '$replay'") shouldBe
                flow.ledger.value("SELECT $columns FROM runledger.job_queue WHERE id = '$job'")
        }

        test("a schedule of a type with keys makes jobs that are not subject to what needs the key") {
            flow.ledger.run(
                """UPDATE runledger.job_definitions SET flow = '{"limits": [{"name": "api", "by": "NONE"}, {"name": "customer", "by": "KEY"}]}'
                    WHERE job_type = 'work'""",
            )
            flow.client.schedules.sync(
                Scope.everything(),
                listOf(ScheduleRequest.builder("nightly", "work", Json.EMPTY_OBJECT).every(Duration.ofDays(1)).build()),
            )
            flow.client.schedules.fireNow(Scope.everything(), "nightly", "now")
            flow.ledger.run("UPDATE runledger.job_definitions SET flow = NULL")
            flow.ledger.rows("SELECT limit_keys FROM runledger.job_queue WHERE stage = 'scheduled'") shouldContainExactly listOf("{api}")
        }
    })
