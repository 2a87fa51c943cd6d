package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.upkeep
import io.runledger.model.condition.Condition
import io.runledger.model.condition.StepEnding
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.ResumedRun
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.Upstream
import java.time.Duration
import java.util.UUID

/** Every way in which the job of a step enters the queue while its run is paused: it is claimed after the resume. */
class PausedPathsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun makeDue() = flow.ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE status = 'PENDING'")

        /** A run of [steps] whose jobs run is paused; then comes [move], which makes the [ready] steps wait in the queue. */
        fun path(
            name: String,
            vararg ready: String,
            steps: StepsBuilder.() -> Unit,
            move: Flow.(UUID, Map<String, ClaimedJob>) -> Unit,
        ) = test(name) {
            val run = flow.start { steps() }
            val claimed = flow.claim()
            flow.client.workflows.pause(everything, run, "look first")

            flow.move(run, claimed)

            makeDue()
            flow.claim().keys.shouldBeEmpty()
            flow.client.leases.untilDue(listOf(Flow.TYPE)) shouldBe null
            flow.contradictions().shouldBeEmpty()
            flow.client.workflows.resume(everything, run).result() shouldBe ResumedRun.Result.RESUMED
            flow.claim().keys shouldBe ready.toSet()
            flow.claim().keys.shouldBeEmpty()
        }

        fun StepsBuilder.pair() = work("b", work("a") { mayContinue() })

        path("a success releases what waited for it", "b", steps = { pair() }) { _, claimed -> succeed(claimed.getValue("a")) }

        path("a failure releases what waited for it", "b", steps = { work("b", work("a").onFailure()) }) { _, claimed ->
            fail(claimed.getValue("a"))
        }

        path("a retry", "a", steps = { pair() }) { _, claimed -> settle(claimed.getValue("a"), again) }

        path("a snooze, which is what a deferral is", "a", steps = { pair() }) { _, claimed ->
            settle(claimed.getValue("a"), Verdict.Snooze(Duration.ofHours(1)))
        }

        path("a continuation, which is what the move of a step machine is", "a", steps = { pair() }) { _, claimed ->
            settle(claimed.getValue("a"), Verdict.Continue(null, null, Duration.ZERO))
        }

        path("a job given back", "a", steps = { pair() }) { _, claimed ->
            client.leases.release(listOf(claimed.getValue("a").lease()), "SHUTDOWN")
        }

        path("a worker that vanished", "a", steps = { pair() }) { _, claimed ->
            expireLease(claimed.getValue("a").lease().jobId())
            client.leases.reap(10, Duration.ofMillis(1)).size shouldBe 1
        }

        path("a gate that somebody completes", "b", steps = { work("b", gate("g")) }) { run, _ -> complete(run, "g") }

        path("a gate that nobody completes in time", "b", steps = {
            work("b", gate("g") { expiresAfter(Duration.ofDays(1)) }.onTerminal())
        }) { run, _ ->
            passDeadline(run, "g")
            client.upkeep.expireGates(10).size shouldBe 1
        }

        path("appended steps: ready at once, after what has ended, with a condition", "n", "m", "o", steps = {
            gate("window")
            work("a")
        }) { run, claimed ->
            succeed(claimed.getValue("a"))
            append(run, "more", "window") {
                work("n")
                work("m", Upstream.named("a"))
                work("o", Upstream.named("a")) { onlyIf(Condition.Ended("a", StepEnding.SUCCEEDED)) }
            }
        }

        path("a job that is canceled by hand", "b", steps = { work("b", work("a").onTerminal()) }) { _, claimed ->
            client.jobs.cancel(everything, claimed.getValue("a").lease().jobId())
        }

        path("a step after others that are canceled one after the other", "d", steps = {
            val b = work("b", work("a").onFailure())
            work("d", work("c", b).onTerminal())
        }) { run, claimed ->
            succeed(claimed.getValue("a"))
            steps(run) shouldContainExactly listOf("a SUCCEEDED", "b CANCELED", "c CANCELED", "d ENQUEUED")
        }

        test("what was queued before, due or due later") {
            val run = flow.start {
                work("now")
                work("later") { delay(Duration.ofHours(1)) }
            }
            val other = flow.start { work("other") }

            flow.client.workflows.pause(everything, run)
            makeDue()

            flow.claim().keys shouldBe setOf("other")
            flow.client.workflows.resume(everything, other).result() shouldBe ResumedRun.Result.NOT_PAUSED
            flow.client.workflows.resume(everything, run)
            flow.claim().keys shouldBe setOf("now", "later")
        }

        test("a worker that vanished before it began, and one whose last attempt it was") {
            val run = flow.start {
                work("unstarted")
                work("last") { maxAttempts(1) }
                work("after", Upstream.named("last").onFailure())
            }
            val claimed = flow.claimUnstarted()
            flow.ledger.run("UPDATE runledger.job_queue SET claim_origin = 'DIRECT' WHERE id = '${flow.jobOf(run, "last")}'")
            flow.client.workflows.pause(everything, run)

            claimed.values.forEach { flow.expireLease(it.lease().jobId()) }
            flow.client.leases.reap(10, Duration.ofMillis(1)).size shouldBe 2

            flow.steps(run) shouldContainExactly listOf("unstarted ENQUEUED", "last FAILED", "after ENQUEUED")
            flow.claim().keys.shouldBeEmpty()
            flow.client.workflows.resume(everything, run)
            flow.claim().keys shouldBe setOf("unstarted", "after")
        }

        test("a step edited while the run is paused runs with the new payload") {
            val run = flow.start { work("a") }
            flow.client.workflows.pause(everything, run)

            flow.client.workflows.editPayload(everything, run, "a", Payload.of(mapOf("n" to 2)), "mended")

            flow.claim().keys.shouldBeEmpty()
            flow.client.workflows.resume(everything, run)
            flow.claim().getValue("a").payload().text() shouldBe """{"n": 2}"""
        }

        test("a run that a paused type and a pause hold back needs both to be resumed") {
            val run = flow.start { work("a") }
            flow.client.workflows.pause(everything, run)
            flow.client.definitions.pause(Flow.TYPE)

            flow.client.workflows.resume(everything, run)
            flow.claim().keys.shouldBeEmpty()
            flow.client.definitions.resume(Flow.TYPE)
            flow.claim().keys shouldBe setOf("a")
        }
    })
