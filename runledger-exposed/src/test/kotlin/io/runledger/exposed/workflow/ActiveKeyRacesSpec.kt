package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.exposed.upkeep
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RetryFailedRequest

class ActiveKeyRacesSpec :
    FunSpec({
        test("a run that is retried while its key is being freed holds the key afterwards") {
            val flow = flow()
            repeat(100) { round ->
                val run = flow.client.workflows.enqueueUnlessActive(
                    workflow {
                        activeKey("k$round")
                        work("a")
                    },
                ).runId()
                // Canceled while it ran, so the key waits for the handler to notice, which it must have done by now.
                flow.client.jobs.cancel(Scope.everything(), flow.claim().getValue("a").lease().jobId())
                flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
                flow.expireLease(flow.jobOf(run, "a"))

                racing(3) { party ->
                    if (party == 0) {
                        flow.client.workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, "again", "mended"))
                    } else {
                        flow.client.upkeep.releaseActiveKeys(10)
                    }
                }

                flow.ledger.rows(
                    "SELECT release_pending FROM runledger.workflow_active_claims WHERE workflow_run_id = '$run'",
                ).shouldContainExactly("f")
                flow.client.workflows.cancel(Scope.everything(), run)
            }
        }
    })
