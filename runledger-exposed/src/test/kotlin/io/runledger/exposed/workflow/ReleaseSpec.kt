package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.lease.Verdict
import io.runledger.model.workflow.Upstream
import java.time.Duration
import java.util.UUID

class ReleaseSpec :
    FunSpec({
        val flow = flow()

        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a root job is queued and a root gate open as soon as the run is there") {
            val run = flow.start {
                work("a")
                gate("g")
                work("b", Upstream.named("a"))
            }

            flow.steps(run).shouldContainExactly("a ENQUEUED", "g WAITING_FOR_EXTERNAL", "b BLOCKED")
            flow.status(run) shouldBe "RUNNING"
            flow.claim().keys.shouldContainExactly("a")
            flow.steps(run).first() shouldBe "a RUNNING"
        }

        test("success releases success, terminal and not failure dependents") {
            val run = flow.start {
                val a = work("a")
                work("ok", a)
                work("any", a.onTerminal())
                work("rescue", a.onFailure())
            }

            flow.finish("a")

            flow.steps(run).shouldContainExactly("a SUCCEEDED", "ok ENQUEUED", "any ENQUEUED", "rescue CANCELED")
            flow.claim().keys.shouldContainExactlyInAnyOrder("ok", "any")
        }

        test("failure releases failure and terminal dependents and cascades through success ones") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a)
                val c = work("c", b)
                work("clean", c.onTerminal())
                work("rescue", a.onFailure())
            }

            flow.fail(flow.claim().getValue("a"))

            flow.steps(run).shouldContainExactly(
                "a FAILED",
                "b CANCELED",
                "c CANCELED",
                "clean ENQUEUED",
                "rescue ENQUEUED",
            )
            flow.finish("clean")
            flow.status(run) shouldBe "RUNNING"
        }

        test("a run whose failure branch was not needed has succeeded") {
            val run = flow.start {
                val a = work("a")
                val rescue = work("rescue", a.onFailure())
                work("after-rescue", rescue)
            }

            flow.finish("a")

            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("what waits for several is decided when the last of them has ended") {
            val run = flow.start {
                val a = work("a")
                val b = work("b")
                work("c", a, b)
            }
            val claimed = flow.claim()

            flow.fail(claimed.getValue("a"))
            flow.steps(run).last() shouldBe "c BLOCKED"
            flow.succeed(claimed.getValue("b"))

            flow.steps(run).last() shouldBe "c CANCELED"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a retry sends the step back to the queue and releases nothing") {
            val run = flow.start {
                val a = work("a")
                work("b", a.onTerminal())
            }

            flow.settle(flow.claim().getValue("a"), Verdict.Retry(JobFailure.retryable("x", "y"), Duration.ZERO, null))

            flow.steps(run).shouldContainExactly("a ENQUEUED", "b BLOCKED")
            flow.finish("a")
            flow.finish("b")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a wave of a thousand and its fan-in cost a fixed number of statements") {
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.workflows.enqueue(workflow { gate("first call") })
            var run: UUID? = null
            val enqueue = counting.count {
                run = client.workflows.enqueue(
                    workflow {
                        val a = work("a")
                        val wide = (1..1000).map { work("w$it", a) }
                        work("z", *wide.toTypedArray())
                    },
                ).runId()
            }
            val a = flow.claim().getValue("a")
            val wave = counting.count { client.leases.settle(mapOf(a.lease() to Verdict.Succeed(null))) }
            val wide = flow.claim().values
            val fanIn = counting.count {
                client.leases.settle(wide.associate { it.lease() to Verdict.Succeed(null) })
            }

            wide.size shouldBe 1000
            flow.finish("z")
            flow.status(run!!) shouldBe "SUCCEEDED"
            listOf(enqueue, wave, fanIn) shouldBe listOf(3, 3, 3)
        }
    })
