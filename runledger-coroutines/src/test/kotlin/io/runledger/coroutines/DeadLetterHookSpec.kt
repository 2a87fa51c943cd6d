package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds

private val fail = JobType.builder("fail", String::class.java).maxAttempts(1).build()
private val other = JobType.builder("other", String::class.java).maxAttempts(1).build()

private val failing = handlers {
    on(fail) { JobOutcome.failed("mail.no_address", "The mail has no address.") }
    on(other) { JobOutcome.failed("other.broken", "It is broken.") }
}

class DeadLetterHookSpec :
    FunSpec({
        fun ledger() = freshLedger().apply { define(fail, other) }

        /** A hook that records the dead letters it receives. */
        class Box {
            private val letters = Channel<DeadLetter>(Channel.UNLIMITED)

            val put: suspend (DeadLetter) -> Unit = { letters.send(it) }

            suspend fun next(): DeadLetter = withTimeout(30.seconds) { letters.receive() }

            fun rest(): List<DeadLetter> = generateSequence { letters.tryReceive().getOrNull() }.toList()
        }

        fun TestLedger.waiting() = value("SELECT count(*) FROM runledger.job_dead_letter_deliveries")

        /** Makes a job give up in a process that has no hooks and does nothing more afterwards. */
        fun TestLedger.dieElsewhere(type: JobType<String> = fail): UUID {
            enqueue(type, "elsewhere")
            val job = WorkerLedger.of(
                client,
            ).leases.claim(ClaimRequest.of(listOf(type.name()), "elsewhere", Duration.ofMinutes(1), 1)).single()
            val failure = JobFailure.terminal("elsewhere.broken", "It is broken.")
            WorkerLedger.of(client).leases.settle(
                mapOf(job.lease() to Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)),
            )
            return job.lease().jobId()
        }

        test("a job that gives up is handed to the hook once, with its payload and what went wrong") {
            val ledger = ledger()
            val box = Box()
            val id = ledger.enqueue(fail, "Ada")

            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = box.put) }) {
                val letter = box.next()
                letter.jobId() shouldBe id
                letter.errorCode() shouldBe "mail.no_address"
                letter.payload() shouldBe Json.of("\"Ada\"")
            }

            box.rest().shouldBeEmpty()
            ledger.waiting() shouldBe "0"
        }

        test("a hook that throws is called again until it does not") {
            val ledger = ledger()
            val tries = AtomicInteger()
            val arrived = CompletableDeferred<UUID>()
            val id = ledger.enqueue(fail, "")
            val hook: suspend (DeadLetter) -> Unit = {
                if (tries.incrementAndGet() == 1) error("the pager is off")
                arrived.complete(it.jobId())
            }

            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = hook) }) {
                withTimeout(30.seconds) { arrived.await() } shouldBe id
            }

            tries.get() shouldBe 2
            ledger.waiting() shouldBe "0"
        }

        test("what gave up while no worker with the hook was there is handed over when one comes") {
            val ledger = ledger()
            val box = Box()
            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = box.put) }) {
                ledger.enqueue(fail, "first")
                box.next()
            }

            val id = ledger.dieElsewhere()
            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = box.put) }) {
                box.next().jobId() shouldBe id
            }

            box.rest().shouldBeEmpty()
        }

        test("a reaped job's letter is handed over") {
            val ledger = ledger()
            val box = Box()
            val id = ledger.enqueue(fail, "")
            WorkerLedger.of(ledger.client).leases.claim(ClaimRequest.of(listOf("fail"), "vanished", Duration.ofMinutes(1), 1))
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")

            val config = quick { reaper(true).reaperInterval(Duration.ofMillis(50)).maxPollInterval(Duration.ofMinutes(10)) }
            working(ledger.client, failing, config, { onDeadLetter("pager", hook = box.put) }) {
                val letter = box.next()
                letter.jobId() shouldBe id
                letter.reason() shouldBe DeadLetterReason.LEASE_EXPIRED
            }
        }

        test("a hook is handed letters of its types alone, and nothing is kept of types that nobody hooks") {
            val ledger = ledger()
            val box = Box()
            val witness = working(ledger.client, failing, settings = { onDeadLetter("pager", listOf(fail), box.put) }) {
                ledger.enqueue(other, "")
                it.await("dead-lettered")
                val id = ledger.enqueue(fail, "")
                box.next().jobId() shouldBe id
            }

            witness.finished shouldBe 2
            box.rest().shouldBeEmpty()
            ledger.waiting() shouldBe "0"
        }

        test("two services share the ledger: each hook gets what it asked for") {
            val ledger = ledger()
            val (pager, desk) = List(2) { Box() }
            val ids = mutableListOf<UUID>()
            val nothing = handlers { }
            working(ledger.client, nothing, settings = { onDeadLetter("pager", listOf(fail, other), pager.put) }) {
                working(ledger.client, failing, settings = { onDeadLetter("desk", listOf(other), desk.put) }) {
                    ids += ledger.enqueue(fail, "")
                    pager.next()
                    ids += ledger.enqueue(other, "")
                    pager.next().jobId() shouldBe ids[1]
                    desk.next().jobId() shouldBe ids[1]
                }
            }

            desk.rest().shouldBeEmpty()
            ledger.waiting() shouldBe "0"
        }

        test("a worker that ends while its hook is busy stops it, and another worker hands the letter over") {
            val ledger = ledger()
            val busy = CompletableDeferred<Unit>()
            val box = Box()
            val id = ledger.enqueue(fail, "")
            val hook: suspend (DeadLetter) -> Unit = {
                busy.complete(Unit)
                awaitCancellation()
            }

            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = hook) }) { busy.await() }
            ledger.waiting() shouldBe "1"

            working(ledger.client, failing, settings = { onDeadLetter("pager", hook = box.put) }) {
                box.next().jobId() shouldBe id
            }
        }

        test("a hook that will not stop does not hold up the end of its worker, nor any job") {
            val ledger = ledger()
            val busy = CompletableDeferred<Unit>()
            val go = CountDownLatch(1)
            val stubborn = DeadLetterHook {
                busy.complete(Unit)
                while (go.count > 0) {
                    try {
                        go.await()
                    } catch (_: InterruptedException) {
                        // Ignores the request to stop.
                    }
                }
            }
            ledger.enqueue(fail, "first")

            val report = working(
                ledger.client,
                failing,
                quick { stopGrace(Duration.ofMillis(50)) },
                { onDeadLetter("pager", null, stubborn) },
            ) {
                busy.await()
                it.await("dead-lettered", ledger.enqueue(other, "meanwhile"))
            }

            report.finished shouldBe 2
            go.countDown()
        }

        test("a hook has a name of its own and something to wait for") {
            val client = freshLedger().client
            fun builder() = RunledgerWorker.builder(client).handlers(failing)

            shouldThrow<IllegalArgumentException> { builder().onDeadLetter("pager") { }.onDeadLetter("pager") { } }
                .message shouldContain "'pager'"
            shouldThrow<IllegalArgumentException> { builder().onDeadLetter("pager", emptyList()) { }.build() }
                .message shouldContain "'pager'"
            shouldThrow<IllegalArgumentException> { RunledgerWorker.builder(client).onDeadLetter("pager") { }.build() }
            shouldThrow<InvalidRequestException> { builder().onDeadLetter(" ") { } }
        }
    })
