package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.inspectors.forAtLeastOne
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.ledger.RuntimeConfigRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.WorkflowRequest
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger

/** Jobs with a secret in every possible place end in every possible way, and no log line of the library contains it. */
class NoSecretsSpec :
    FunSpec({
        val secret = "hunter2-4711"
        val secrets = mapOf("card" to secret)

        fun type(name: String, settings: JobType.Builder<Map<*, *>>.() -> Unit = {}) =
            JobType.builder(name, Map::class.java).apply(settings).build()

        val good = type("good")
        val bad = type("bad") {
            maxAttempts(2)
            retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
        }
        val slow = type("slow") {
            maxAttempts(1)
            timeout(Duration.ofSeconds(1))
        }
        val silent = type("silent") { maxAttempts(1) }
        val refused = type("refused")
        val numbers = JobType.builder("numbers", Numbers::class.java).build()

        test("no payload, output, checkpoint, key, setting or failure message is logged, whatever becomes of the job") {
            val ledger = freshLedger()
            ledger.define(good, bad, slow, silent, refused, numbers)
            ledger.run(
                "ALTER TABLE runledger.job_queue ADD CONSTRAINT dislike " +
                    "CHECK (NOT (job_type = 'refused' AND status = 'SUCCEEDED'))",
            )
            ledger.client.configs.put(RuntimeConfigRequest.of("good", secrets))
            val failures = AtomicInteger()
            val letters = CompletableDeferred<DeadLetter>()
            val handlers = handlers {
                on(good) {
                    it.keepCheckpoint(secrets)
                    it.writeLog(LogLevel.INFO, "the card is $secret")
                    secrets
                }
                on(bad) { throw IllegalStateException("The card $secret was refused.") }
                on(slow) { awaitCancellation() }
                on(silent) { Unspeakable(secret) }
                on(refused) { secrets }
                on(numbers) { it.payload().amount }
            }

            val overheard = Overheard.during {
                val settings: RunledgerWorker.Builder.() -> Unit = {
                    onDeadLetter("pager", listOf(bad)) { letter ->
                        check(failures.incrementAndGet() > 1) { "The pager is out of order." }
                        letters.complete(letter)
                    }
                }
                working(ledger.client, handlers, quick { reaper(true).scheduler(true) }, settings) { witness ->
                    fun enqueue(type: JobType<*>) = ledger.client.jobs.enqueue(
                        JobRequest.builder(type.name(), secrets).idempotencyKey("key $secret").build(),
                    ).id()
                    val run = WorkflowRequest.builder("flow").metadata(secrets).idempotencyKey("run $secret")
                    run.job("step") { it.runs("good", secrets) }
                    ledger.client.workflows.enqueue(run.build())
                    val lost = enqueue(refused)
                    val failing = enqueue(bad)
                    val mistyped = ledger.client.jobs.enqueue(
                        JobRequest.builder("numbers", mapOf("amount" to secret)).build(),
                    ).id()
                    listOf(slow, silent).map(::enqueue).forEach { witness.await("dead-lettered", it) }
                    enqueue(good).let { witness.await("succeeded", it) }
                    witness.await("dead-lettered", failing)
                    witness.await("dead-lettered", mistyped)
                    witness.await("lost", lost)
                    letters.await()
                    ledger.job(failing).lastErrorMessage().shouldNotBeNull() shouldContain secret
                }
            }

            overheard.lines.forAll { it shouldNotContain secret }
            listOf(
                "cannot be decoded",
                "rejects the settlement",
                "Hook 'pager' did not take",
                "violates check constraint",
            ).forEach { words ->
                overheard.lines.forAtLeastOne { it shouldContain words }
            }
        }

        test("what users log most does not print what it carries") {
            val ledger = freshLedger()
            ledger.define(good)
            val request = JobRequest.builder("good", secrets).idempotencyKey("once").build()
            val id = ledger.client.jobs.enqueue(request).id()
            val letter = CompletableDeferred<DeadLetter>()

            val handlers = handlers { on(good) { error("The card $secret was refused.") } }
            ledger.run("UPDATE runledger.job_queue SET max_attempts = 1")
            working(ledger.client, handlers, settings = { onDeadLetter("pager") { letter.complete(it) } }) { letter.await() }

            listOf(request, ledger.client.jobs.get(Scope.global(), id), letter.await()).forAll { carrier ->
                "$carrier" shouldContain "good"
                "$carrier" shouldNotContain secret
            }
        }
    }) {
    class Numbers(val amount: Int)

    /** A value that no codec can write, and whose error message contains the secret. */
    class Unspeakable(private val word: String) {
        @Suppress("unused")
        val value: String get() = error("The card $word cannot be shown.")
    }
}
