package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.history.JobReason
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

private val brief = JobType.builder("brief", String::class.java)
    .timeout(Duration.ofSeconds(1))
    .maxAttempts(3)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .build()

/** Waits without regard to interruptions. */
private fun CountDownLatch.awaitStubbornly() {
    while (count > 0) {
        try {
            await()
        } catch (_: InterruptedException) {
            // Ignores the request to stop.
        }
    }
}

/** A handler whose first call ignores its timeout until it is let go; later calls succeed at once. */
private class Stubborn(private val first: (JobContext<String>) -> Unit = {}) {
    val begun = AtomicInteger()
    val mostAtOnce = AtomicInteger()
    val letGo = CountDownLatch(1)
    private val running = AtomicInteger()

    fun registry(settings: HandlersScope.() -> Unit = {}): Handlers = handlers {
        settings()
        blocking(brief) { job ->
            val isFirst = begun.getAndIncrement() == 0
            mostAtOnce.accumulateAndGet(running.incrementAndGet(), ::maxOf)
            try {
                if (isFirst) {
                    first(job)
                    letGo.awaitStubbornly()
                }
            } finally {
                running.decrementAndGet()
            }
            JobOutcome.succeeded("late")
        }
    }
}

/** Handlers that continue after their timeout. */
class IgnoredTimeoutSpec :
    FunSpec({
        val everything = Scope.everything()
        val config = quick { stopGrace(Duration.ofMillis(50)).maxConcurrency(4) }

        fun TestLedger.noted() = rows("SELECT attempt FROM runledger.job_journal WHERE event_type::text = 'TIMEOUT_IGNORED'")

        fun TestLedger.outcomes(id: UUID) = client.jobs.story(everything, id).attempts().map { it.outcome() }

        test("no second attempt begins beside a handler that ignores its timeout; once it has ended, its job is tried again") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()

            working(ledger.client, stubborn.registry(), config) { witness ->
                witness.await("stuck", id)
                until("it is noted, or tried again") { ledger.noted().isNotEmpty() || stubborn.begun.get() > 1 }
                stubborn.begun.get() shouldBe 1
                ledger.job(id).status() shouldBe JobStatus.LEASED
                witness.await("overtime", id).detail shouldBe Duration.ofMinutes(10)
                val why = ledger.client.jobs.why(everything, id)
                why.map { it.code() } shouldContainExactly listOf(JobReason.Code.RUNNING, JobReason.Code.TIMEOUT_IGNORED)
                why.last().sentence() shouldContain "ignored its timeout"

                stubborn.letGo.countDown()
                witness.await("succeeded", id)
            }

            stubborn.mostAtOnce.get() shouldBe 1
            ledger.outcomes(id) shouldContainExactly listOf(AttemptOutcome.TIMEOUT, AttemptOutcome.SUCCEEDED)
            val events = ledger.client.jobs.story(everything, id).events().filter { it.attempt() == 1 }.map { it.type() }
            events.dropWhile { it != JobEventType.TIMEOUT_IGNORED } shouldContainExactly
                listOf(JobEventType.TIMEOUT_IGNORED, JobEventType.FAILED, JobEventType.RETRY_SCHEDULED)
        }

        test("its lease is renewed for as long as it is waited for") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()
            fun expiry() = ledger.value("SELECT lease_expires_at FROM runledger.job_queue WHERE id = '$id'")

            val impatient = quick { stopGrace(Duration.ofMillis(50)).lease(Duration.ofSeconds(3)).reaper(true) }
            working(ledger.client, stubborn.registry(), impatient) { witness ->
                witness.await("overtime", id)
                val first = expiry()
                until("the lease is renewed") { expiry() > first }
                stubborn.letGo.countDown()
                witness.await("succeeded", id)
            }

            ledger.outcomes(id) shouldContainExactly listOf(AttemptOutcome.TIMEOUT, AttemptOutcome.SUCCEEDED)
        }

        test("when its overtime is over, its job is tried again beside it, and its place stays taken") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()
            val alone = quick { stopGrace(Duration.ofMillis(50)).maxConcurrency(1) }

            working(ledger.client, stubborn.registry { overtime(brief, Duration.ofMillis(200)) }, alone) { witness ->
                witness.await("retried", id)
                stubborn.begun.get() shouldBe 1
                ledger.client.workers.list().single().slots() shouldBe 1
                working(ledger.client, stubborn.registry(), alone) { it.await("succeeded", id) }
                stubborn.letGo.countDown()
            }

            stubborn.mostAtOnce.get() shouldBe 2
            ledger.outcomes(id) shouldContainExactly listOf(AttemptOutcome.TIMEOUT, AttemptOutcome.SUCCEEDED)
        }

        test("a type without overtime is tried again at once, and the ledger says that the timeout was ignored") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()

            working(ledger.client, stubborn.registry { overtime(Duration.ZERO) }, config) { witness ->
                witness.await("succeeded", id)
                witness.of(id) shouldContain "stuck"
                witness.told.filter { it.what == "overtime" }.shouldBeEmpty()
                stubborn.letGo.countDown()
            }

            ledger.noted() shouldContainExactly listOf("1")
        }

        test("what was settled in the handler's own transaction before the timeout counts, however late it is committed") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val connection = autoClose(ledger.database.connect())
            connection.autoCommit = false
            val stubborn = Stubborn { it.settleIn(connection) }

            working(ledger.client, stubborn.registry(), config) { witness ->
                witness.await("overtime", id)
                ledger.job(id).status() shouldBe JobStatus.LEASED
                connection.commit()
                stubborn.letGo.countDown()
                witness.await("succeeded", id)
            }

            stubborn.begun.get() shouldBe 1
            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            ledger.outcomes(id) shouldContainExactly listOf(AttemptOutcome.SUCCEEDED)
        }

        test("what was settled and is rolled back after the timeout is a timeout") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val connection = autoClose(ledger.database.connect())
            connection.autoCommit = false
            val stubborn = Stubborn { it.settleIn(connection) }

            working(ledger.client, stubborn.registry(), config) { witness ->
                witness.await("overtime", id)
                connection.rollback()
                stubborn.letGo.countDown()
                witness.await("succeeded", id)
            }

            ledger.outcomes(id) shouldContainExactly listOf(AttemptOutcome.TIMEOUT, AttemptOutcome.SUCCEEDED)
        }

        test("a worker that ends abandons it with its lease, which runs out") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()

            val report = working(ledger.client, stubborn.registry(), config) { it.await("overtime", id) }

            report.abandoned shouldContainExactly listOf(id)
            ledger.job(id).status() shouldBe JobStatus.LEASED
            stubborn.letGo.countDown()
        }

        test("a job that is canceled meanwhile is canceled, and told so") {
            val ledger = freshLedger()
            ledger.define(brief)
            val id = ledger.enqueue(brief, "")
            val stubborn = Stubborn()

            working(ledger.client, stubborn.registry(), config) { witness ->
                witness.await("overtime", id)
                ledger.client.jobs.cancel(everything, id)
                witness.await("canceled", id)
                stubborn.letGo.countDown()
            }

            ledger.job(id).status() shouldBe JobStatus.CANCELED
        }
    })
