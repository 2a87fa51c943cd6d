package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.history.RunEventType
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.PausedRun
import io.runledger.model.run.ResumedRun
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

/** A pause or a resume and other changes of the run at the same moment, hundreds of times. */
class PauseRacesSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        fun pause(run: UUID) = flow.client.workflows.pause(everything, run, "race")

        fun resume(run: UUID) = flow.client.workflows.resume(everything, run, "race")

        /** After the race nothing of the run is claimed; after the resume exactly [ready] is. */
        fun race(run: UUID, vararg ready: String, other: () -> Unit) {
            racing(2) { party -> if (party == 0) pause(run) else other() }

            flow.claim().keys.shouldBeEmpty()
            resume(run)
            flow.claim().keys shouldContainExactlyInAnyOrder ready.toList()
            flow.client.workflows.cancel(everything, run)
        }

        afterTest {
            flow.cancelEverything()
            flow.contradictions().shouldBeEmpty()
            flow.deadlocks() shouldBe "0"
        }

        test("against a claim: what was claimed runs, and the rest waits for the resume") {
            repeat(60) {
                val run = flow.start { repeat(8) { work("w$it") } }

                val claimed = racing(2) { party ->
                    if (party == 0) emptyList<String>().also { pause(run) } else flow.claim(5).keys.toList()
                }.flatten()
                val meanwhile = flow.claim().keys
                resume(run)

                meanwhile.shouldBeEmpty()
                claimed + flow.claim().keys shouldContainExactlyInAnyOrder List(8) { "w$it" }
                flow.client.workflows.cancel(everything, run)
            }
        }

        test("against a settlement that releases a step") {
            repeat(60) {
                val run = flow.start { work("b", work("a")) }
                val claimed = flow.claim().getValue("a")

                race(run, "b") { flow.settleSurely(claimed) }
            }
        }

        listOf(
            "a retry" to again,
            "a continuation" to Verdict.Continue(null, null, Duration.ZERO),
        ).forEach { (what, verdict) ->
            test("against $what") {
                repeat(60) {
                    val run = flow.start { work("a") { mayContinue() } }
                    val claimed = flow.claim().getValue("a")

                    race(run, "a") { flow.settleSurely(claimed, verdict) }
                }
            }
        }

        test("against giving back") {
            repeat(60) {
                val run = flow.start { work("a") }
                val claimed = flow.claim().getValue("a")

                race(run, "a") { flow.releaseSurely(listOf(claimed)) }
            }
        }

        test("against the reaper") {
            repeat(60) {
                val run = flow.start { work("a") }
                flow.expireLease(flow.claim().getValue("a").lease().jobId())

                // The reaper skips runs that another session holds, so it runs again.
                race(run, "a") {
                    while (flow.client.leases.reap(10, Duration.ofMillis(1)).isEmpty()) Thread.onSpinWait()
                    flow.ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE status = 'PENDING'")
                }
            }
        }

        test("against the completion of a gate") {
            repeat(60) {
                val run = flow.start { work("b", gate("g")) }

                race(run, "b") { flow.complete(run, "g") }
            }
        }

        test("against an append") {
            repeat(60) {
                val run = flow.start { gate("window") }

                race(run, "n") { flow.append(run, "more", "window") { work("m", work("n")) } }
            }
        }

        test("against a cancellation: the run is canceled and not paused") {
            repeat(60) {
                val run = flow.start { repeat(3) { work("w$it") } }

                racing(2) { party -> if (party == 0) pause(run) else flow.client.workflows.cancel(everything, run) }

                val ended = flow.client.workflows.get(everything, run)
                ended.status() shouldBe WorkflowRunStatus.CANCELED
                ended.isPaused shouldBe false
            }
        }

        test("against the end of the run: it ends either way") {
            repeat(60) {
                val run = flow.start { work("a") }
                val claimed = flow.claim().getValue("a")

                racing(2) { party -> if (party == 0) pause(run) else flow.settleSurely(claimed) }

                val ended = flow.client.workflows.get(everything, run)
                ended.status() shouldBe WorkflowRunStatus.SUCCEEDED
                ended.isPaused shouldBe false
            }
        }

        test("of several pauses one pauses, and of several resumes one resumes") {
            repeat(30) {
                val run = flow.start { repeat(3) { work("w$it") } }

                val paused = racing(3) { pause(run).result() }
                val resumed = racing(3) { resume(run).result() }

                paused.count { it == PausedRun.Result.PAUSED } shouldBe 1
                paused.count { it == PausedRun.Result.ALREADY_PAUSED } shouldBe 2
                resumed.count { it == ResumedRun.Result.RESUMED } shouldBe 1
                resumed.count { it == ResumedRun.Result.NOT_PAUSED } shouldBe 2
                flow.client.workflows.runEvents(everything, run).map { it.type() } shouldBe
                    listOf(RunEventType.PAUSED, RunEventType.RESUMED)
                flow.claim().size shouldBe 3
                flow.client.workflows.cancel(everything, run)
            }
        }

        test("two resumes while several workers claim: every job is claimed once") {
            repeat(30) {
                val run = flow.start { repeat(40) { work("w$it") } }
                pause(run)

                val claimed = racing(5) { party ->
                    if (party < 2) emptyList<String>().also { resume(run) } else flow.claim(20).keys.toList()
                }.flatten() + flow.claim().keys

                claimed shouldContainExactlyInAnyOrder List(40) { "w$it" }
                flow.client.workflows.cancel(everything, run)
            }
        }
    })
