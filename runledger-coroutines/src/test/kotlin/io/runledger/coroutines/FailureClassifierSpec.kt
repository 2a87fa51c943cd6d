package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.failure.FailureClassifier
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.JobType
import io.runledger.model.retry.Backoff
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.io.IOException
import java.time.Duration
import java.util.concurrent.CompletableFuture

private val shaky = JobType.builder("shaky", String::class.java)
    .maxAttempts(2)
    .retryPolicy(
        RetryPolicy.builder().fixed(Duration.ofHours(1))
            .rule(RetryRule.onCode("line.busy").retry(Backoff.fixed(Duration.ofMillis(1))))
            .build(),
    )
    .build()

private val other = JobType.builder("other", String::class.java).maxAttempts(1).build()

class FailureClassifierSpec :
    FunSpec({
        test("what code knows about an exception becomes a code that stored rules go by, for stages too") {
            val ledger = freshLedger()
            ledger.define(shaky)
            val id = ledger.enqueue(shaky, "Ada")
            val handlers = handlers {
                classify { thrown, failure -> if (thrown is IOException) failure.withCode("line.busy") else failure }
                async(shaky) { CompletableFuture.failedFuture(IOException("busy")) }
            }

            working(ledger.client, handlers) { witness ->
                val failure = witness.await("dead-lettered", id).detail as JobFailure
                failure.code() shouldBe "line.busy"
                failure.message() shouldContain "java.io.IOException: busy"
                witness.of(id) shouldContainExactly
                    listOf("claimed", "started", "retried", "claimed", "started", "dead-lettered")
            }
        }

        test("what has a message like a pattern gets a code of its own, and only that is tried again") {
            val ledger = freshLedger()
            ledger.define(shaky)
            val ids = listOf("Busy, line 7.", "The number does not exist.").map { ledger.enqueue(shaky, it) }
            val busy = Regex("busy.*line", RegexOption.IGNORE_CASE)
            val handlers = handlers {
                classify(shaky) { thrown, failure ->
                    if (busy in thrown.message.orEmpty()) failure.withCode("line.busy") else failure.asTerminal()
                }
                on(shaky) { job -> error(job.payload()) }
            }

            working(ledger.client, handlers) { witness ->
                ids.forEach { witness.await("dead-lettered", it) }
                ids.map { id -> witness.of(id).count { it == "started" } } shouldContainExactly listOf(2, 1)
            }
        }

        test("only what passes is tried again; everything else fails for good") {
            val ledger = freshLedger()
            ledger.define(shaky)
            val id = ledger.enqueue(shaky, "Ada")
            val handlers = handlers {
                classify(shaky, FailureClassifier.retryingOnly { it is IOException })
                on(shaky) { error("never mended") }
            }

            working(ledger.client, handlers) { witness ->
                witness.await("dead-lettered", id)
                witness.of(id) shouldContainExactly listOf("claimed", "started", "dead-lettered")
            }
        }

        test("a type's own classifier comes before the general one, and a broken one has no say") {
            val ledger = freshLedger()
            ledger.define(shaky, other)
            val (own, broken) = listOf(ledger.enqueue(shaky, "Ada"), ledger.enqueue(other, "Bob"))
            val handlers = handlers {
                classify { _, _ -> error("no idea") }
                classify(shaky) { _, failure -> failure.withCode("shaky.own").asTerminal() }
                on(shaky) { error("a") }
                on(other) { error("b") }
            }

            working(ledger.client, handlers) { witness ->
                (witness.await("dead-lettered", own).detail as JobFailure).code() shouldBe "shaky.own"
                (witness.await("dead-lettered", broken).detail as JobFailure).code() shouldBe "job.handler_failed"
            }
        }
    })
