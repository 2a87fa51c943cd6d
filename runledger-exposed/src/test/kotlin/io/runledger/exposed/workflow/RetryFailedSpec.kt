package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.spec.RetryFailedRequest
import io.runledger.model.state.Disposition
import io.runledger.model.state.Scope
import java.util.UUID

class RetryFailedSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun retry(run: UUID, key: String = "again", reason: String = "the bank is back") =
            flow.client.workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, key, reason))

        test("what failed and what followed from it runs again, what succeeded does not") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a)
                val c = work("c", b)
                work("d", c)
                work("alarm", b.onFailure())
                result(c)
            }
            flow.finish("a")
            flow.fail(flow.claim().getValue("b"))
            flow.finish("alarm")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"

            val retried = retry(run)

            retried.stepKeys().shouldContainExactly("b", "c", "d")
            retried.run().isTerminal shouldBe false
            flow.steps(run).shouldContainExactly("a SUCCEEDED", "b ENQUEUED", "c BLOCKED", "d BLOCKED", "alarm SUCCEEDED")
            listOf("b", "c", "d").forEach { flow.finish(it, Json.of("\"$it\"")) }
            flow.status(run) shouldBe "SUCCEEDED"
            flow.ledger.value("SELECT result FROM runledger.workflow_runs WHERE id = '$run'") shouldBe "\"c\""
        }

        test("repeating the request changes nothing, another one under the key is a conflict") {
            val run = flow.start { work("a") }
            flow.fail(flow.claim().getValue("a"))
            retry(run).disposition() shouldBe Disposition.INSERTED

            val again = retry(run)

            again.disposition() shouldBe Disposition.EXISTING
            again.stepKeys().shouldContainExactly("a")
            shouldRefuse(ErrorCode.RECOVERY_CONFLICT) { retry(run, reason = "another reason") }
            flow.claim().size shouldBe 1
        }

        test("it can fail and be retried again, and the story tells every time") {
            val run = flow.start { work("a") }
            flow.fail(flow.claim().getValue("a"))
            retry(run, "first")
            flow.fail(flow.claim().getValue("a"))
            retry(run, "second")
            flow.finish("a")

            flow.ledger.rows(
                "SELECT event_type FROM runledger.workflow_step_events WHERE workflow_run_id = '$run' ORDER BY id",
            ).shouldContainExactly(
                "CREATED", "RELEASED", "STARTED", "FAILED", "RESET", "RELEASED", "STARTED", "FAILED", "RESET", "RELEASED",
                "STARTED", "SUCCEEDED",
            )
        }

        test("a run that lives, succeeded or was canceled has nothing to retry") {
            val live = flow.start { gate("g") }
            val succeeded = flow.start { work("a") }
            flow.finish("a")
            val canceled = flow.start { gate("g") }
            flow.client.workflows.cancel(Scope.everything(), canceled)

            listOf(live, succeeded, canceled).forEach { run -> shouldRefuse(ErrorCode.RETRY_NOT_POSSIBLE) { retry(run) } }
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { retry(UUID.randomUUID()) }
        }

        test("a canceled handler that may still be running is waited for") {
            val run = flow.start { work("a") }
            val job = flow.claim().getValue("a").lease().jobId()
            flow.client.jobs.cancel(Scope.everything(), job)
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"

            shouldRefuse(ErrorCode.RELEASE_CONFLICT) { retry(run) }
            flow.ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '$job'")

            retry(run).stepKeys().shouldContainExactly("a")
        }

        test("the run takes its active key back, unless another run holds it") {
            fun active() = workflow {
                work("a")
                activeKey("k")
            }
            val run = flow.client.workflows.enqueueUnlessActive(active()).runId()
            flow.fail(flow.claim().getValue("a"))
            val holder = flow.client.workflows.enqueueUnlessActive(active()).runId()

            shouldRefuse(ErrorCode.RECOVERY_ACTIVE) { retry(run) }
            flow.client.workflows.cancel(Scope.everything(), holder)
            retry(run)

            flow.client.workflows.enqueueUnlessActive(active()).runId() shouldBe run
        }
    })
