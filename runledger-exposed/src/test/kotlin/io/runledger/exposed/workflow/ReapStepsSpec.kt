package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.refuse
import io.runledger.exposed.refuseNoMore
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.ReapedJob
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.time.Duration

/** The end of a step whose worker disappeared. */
class ReapStepsSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun reap() = flow.client.leases.reap(100, Duration.ofMillis(1)).map { it.result() }

        test("with attempts left the step goes back to the queue") {
            val run = flow.start {
                val a = work("a") { maxAttempts(2) }
                work("b", a.onTerminal())
            }
            flow.expireLease(flow.claim().getValue("a").lease().jobId())

            reap().shouldContainExactly(ReapedJob.Result.RETRY_SCHEDULED)

            flow.steps(run).shouldContainExactly("a ENQUEUED", "b BLOCKED")
            flow.step(run, "a", "status_reason, last_error_code") shouldBe "LEASE_EXPIRED|${ErrorCode.LEASE_EXPIRED.wire()}"
        }

        test("a claim that had not begun is given back, even of the last attempt") {
            val run = flow.start { work("a") { maxAttempts(1) } }
            flow.expireLease(flow.claimUnstarted().getValue("a").lease().jobId())

            reap().shouldContainExactly(ReapedJob.Result.RELEASED)

            flow.step(run, "a", "status, last_error_code") shouldBe "ENQUEUED|"
            flow.finish("a")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a step's own policy that gives up on vanished workers fails it at the first, with attempts left") {
            val giveUp = RetryPolicy.builder().rule(RetryRule.onCode("job.lease_expired").giveUp()).build()
            val run = flow.start {
                val a = work("a") { maxAttempts(5).retryPolicy(giveUp) }
                work("rescue", a.onFailure())
            }
            flow.expireLease(flow.claim().getValue("a").lease().jobId())

            reap().shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)

            flow.steps(run).shouldContainExactly("a FAILED", "rescue ENQUEUED")
            flow.finish("rescue")
        }

        test("without attempts left the step fails and fires its dependents") {
            val run = flow.start {
                val a = work("a") { maxAttempts(1) }
                work("next", a)
                work("rescue", a.onFailure())
            }
            flow.expireLease(flow.claim().getValue("a").lease().jobId())

            reap().shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)

            flow.steps(run).shouldContainExactly("a FAILED", "next CANCELED", "rescue ENQUEUED")
            flow.step(run, "a", "status_reason, last_error_code") shouldBe "LEASE_EXPIRED|${ErrorCode.LEASE_EXPIRED.wire()}"
            flow.finish("rescue")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("the reaper passes by a run that somebody holds, and comes back to it") {
            val held = flow.start { work("held") { maxAttempts(1) } }
            val free = flow.start { work("free") { maxAttempts(1) } }
            flow.claim().values.forEach { flow.expireLease(it.lease().jobId()) }

            flow.holding(held) { reap() }.shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)

            flow.steps(held).shouldContainExactly("held RUNNING")
            flow.steps(free).shouldContainExactly("free FAILED")
            reap().shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)
            flow.status(held) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a step whose ending the database refuses is put off and does not stop the others") {
            val poisoned = flow.start { work("poisoned") { maxAttempts(1) } }
            val run = flow.start { work("plain") { maxAttempts(1) } }
            flow.claim().values.forEach { flow.expireLease(it.lease().jobId()) }
            val job = flow.jobOf(poisoned, "poisoned")
            flow.ledger.refuse("INSERT", "job_dead_letters", job)

            reap().toSet() shouldBe setOf(ReapedJob.Result.DEFERRED, ReapedJob.Result.DEAD_LETTERED)

            flow.steps(poisoned).shouldContainExactly("poisoned RUNNING")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
            flow.ledger.refuseNoMore("job_dead_letters")
            flow.expireLease(job)
            reap().shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)
            flow.status(poisoned) shouldBe "COMPLETED_WITH_ERRORS"
        }
    })
