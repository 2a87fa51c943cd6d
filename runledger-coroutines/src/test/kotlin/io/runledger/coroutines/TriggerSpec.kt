package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.PollResult
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

private val import = JobType.of("import", String::class.java)
private val importing = handlers { on(import) { job -> job.payload() } }

class TriggerSpec :
    FunSpec({
        fun ledger() = freshLedger().apply { define(import) }

        fun TestLedger.history() = client.schedules.fires(Scope.global(), "files").items()

        fun TestLedger.fired() = history().filter { it.outcome() == FireOutcome.FIRED }.map { it.dedupKey() }

        test("what a trigger finds is run, once, whichever of two workers polls") {
            val ledger = ledger()
            val polls = AtomicInteger()
            val settings: RunledgerWorker.Builder.() -> Unit = {
                trigger("files", every = 1.seconds) {
                    val n = polls.incrementAndGet()
                    if (n == 1) skip("Nothing yet.") else all(listOf("a", "b").map { fire(it, import, it) })
                }
            }

            working(ledger.client, importing, settings = settings) { first ->
                working(ledger.client, importing, settings = settings) { second ->
                    until("both are imported") { (first.told + second.told).count { it.what == "succeeded" } == 2 }
                    until("it was polled again") { polls.get() >= 4 }
                }
            }

            ledger.fired().sorted() shouldContainExactly listOf("a", "b")
            ledger.history().last().reason() shouldBe "Nothing yet."
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("a trigger starts a workflow with a context of what it found, which its steps read") {
            val ledger = ledger()
            val read = CompletableDeferred<String?>()
            val handlers = handlers { on(import) { job -> read.complete(job.readRunContext<String>("file")) } }

            working(
                ledger.client,
                handlers,
                settings = {
                    trigger("files", every = 1.hours) {
                        val workflow = WorkflowRequest.builder("import").context(mapOf("file" to "a.csv"))
                        workflow.job("read", import, "a")
                        fire("a.csv", workflow.build())
                    }
                },
            ) { it.await("succeeded") }

            read.await() shouldBe "a.csv"
            val line = ledger.history().single()
            line.dedupKey() shouldBe "a.csv"
            ledger.client.workflows.get(Scope.global(), line.runId()!!).status() shouldBe WorkflowRunStatus.SUCCEEDED
        }

        test("a poll that fails is told, fires nothing, and the next one comes") {
            val ledger = ledger()
            val polls = AtomicInteger()

            working(
                ledger.client,
                importing,
                settings = {
                    trigger("files", every = 1.seconds) {
                        check(polls.incrementAndGet() > 2) { "The disk is gone." }
                        fire("a", import, "a")
                    }
                },
            ) { it.await("succeeded") }

            ledger.history().first { it.outcome() == FireOutcome.FAILED }.times() shouldBe 2
            ledger.fired() shouldContainExactly listOf("a")
        }

        test("a worker that ends gives its poll back, and another does it at once") {
            val ledger = ledger()
            val begun = CompletableDeferred<Unit>()
            working(
                ledger.client,
                importing,
                settings = {
                    trigger("files", every = 1.hours) {
                        begun.complete(Unit)
                        awaitCancellation()
                    }
                },
            ) { begun.await() }
            ledger.history().shouldBeEmpty()

            working(
                ledger.client,
                importing,
                settings = { trigger("files", Duration.ofHours(1)) { PollResult.fire("a", import, "a") } },
            ) { it.await("succeeded") }

            ledger.fired() shouldContainExactly listOf("a")
        }

        test("a trigger that was paused is not polled until it is resumed and asked for") {
            val ledger = ledger()
            val polls = AtomicInteger()
            WorkerLedger.of(ledger.client).triggers.register("files", Duration.ofHours(1))
            ledger.client.schedules.pause(Scope.global(), "files")

            working(
                ledger.client,
                importing,
                quick { schedulerInterval(Duration.ofMillis(20)) },
                { trigger("files", every = 1.hours) { skip().also { polls.incrementAndGet() } } },
            ) {
                ledger.client.schedules.resume(Scope.global(), "files")
                polls.get() shouldBe 0
                ledger.client.schedules.fireNow(Scope.global(), "files")
                until("it was polled") { polls.get() == 1 }
            }
            ledger.history().size shouldBeGreaterThanOrEqual 4
        }

        test("a name is given once and is a name, and an interval is one") {
            val builder = RunledgerWorker.builder(ledger().client).trigger("files", every = 1.hours) { skip() }
            shouldThrow<IllegalArgumentException> { builder.trigger("files", every = 1.hours) { skip() } }
            shouldThrow<InvalidRequestException> { builder.trigger(" ", every = 1.hours) { skip() } }
            shouldThrow<InvalidRequestException> { builder.trigger("other", every = 0.seconds) { skip() } }
        }
    })
