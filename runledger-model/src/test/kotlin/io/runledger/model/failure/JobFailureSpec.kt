package io.runledger.model.failure

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.property.Arb
import io.kotest.property.arbitrary.Codepoint
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.handler.JobOutcome
import io.runledger.model.json.Json
import io.runledger.model.text.Text
import java.io.IOException
import java.time.Duration
import java.util.concurrent.CompletionException
import java.util.concurrent.ExecutionException

class JobFailureSpec :
    FunSpec({
        test("every kind becomes the attempt outcome of the same name") {
            FailureKind.entries.forEach { kind -> kind.outcome().name shouldBe kind.name }
        }

        test("factories set kind and code") {
            JobFailure.retryable("mail.busy", "later").let { it.kind to it.code } shouldBe (FailureKind.RETRYABLE to "mail.busy")
            JobFailure.terminal("mail.gone", "never").let { it.kind to it.code } shouldBe (FailureKind.TERMINAL to "mail.gone")
            JobFailure.panicked("broken").let { it.kind to it.code } shouldBe (FailureKind.PANICKED to "job.handler_panic")
            JobFailure.leaseExpired().let { it.kind to it.code } shouldBe (FailureKind.LEASE_EXPIRED to "job.lease_expired")
            val timeout = JobFailure.timeout(Duration.ofMinutes(5))
            timeout.kind to timeout.code shouldBe (FailureKind.TIMEOUT to "job.timeout_exceeded")
            timeout.message shouldContain "PT5M"
        }

        test("without an exception there is no exception class") {
            val failure = JobFailure.retryable("mail.busy", "later")

            failure.exceptionTypes.shouldBeEmpty()
            failure.exceptionClass().shouldBeNull()
            failure.details.shouldBeNull()
        }

        test("a missing message does not turn a failure into an exception") {
            JobFailure.terminal("mail.gone", null).message shouldBe "(no message)"
        }

        test("details are added to a copy") {
            val plain = JobFailure.terminal("mail.gone", "never")

            plain.withDetails(Json.of("""{"status":550}""")).details shouldBe Json.of("""{"status":550}""")
            plain.details.shouldBeNull()
        }

        test("a code that cannot be stored is refused") {
            listOf("", " \u00a0", "x".repeat(256), "ü".repeat(128), "a\u0000b", "a\nb", "a\ud800").forEach { code ->
                withClue(Text.quoted(code)) {
                    shouldThrow<InvalidRequestException> { JobFailure.retryable(code, "m") }.code() shouldBe
                        ErrorCode.INVALID_ARGUMENT
                }
            }
            JobFailure.retryable("ü".repeat(127) + "x", "m").code.length shouldBe 128
        }

        test("what PostgreSQL cannot store is replaced in the message") {
            JobFailure.retryable("c", "a\u0000b\ud800c").message shouldBe "a\ufffdb\ufffdc"
        }

        test("a long message keeps its start and shows the cut") {
            val message = JobFailure.retryable("c", "start " + "x".repeat(1_000_000)).message

            message shouldStartWith "start xxx"
            message shouldEndWith "x…"
            Text.utf8Length(message) shouldBe 8 * 1024L
        }

        test("a message of exactly the limit is kept whole") {
            val whole = "x".repeat(8 * 1024)

            JobFailure.retryable("c", whole).message shouldBe whole
            JobFailure.retryable("c", whole + "x").message shouldEndWith "…"
        }

        test("a pair of surrogates is never cut in half") {
            (0..4).forEach { shift ->
                val message = JobFailure.retryable("c", "x".repeat(shift) + "😀".repeat(5_000)).message

                message shouldNotContain "\ufffd"
                message shouldEndWith "😀…"
            }
        }

        test("any message can be stored, and storing it again changes nothing") {
            checkAll(200, Arb.string(0..12_000, Codepoint.everything())) { text ->
                val message = JobFailure.retryable("c", text).message

                Text.isStorable(message) shouldBe true
                (Text.utf8Length(message) <= 8 * 1024) shouldBe true
                JobFailure.retryable("c", message).message shouldBe message
            }
        }

        test("an exception may be tried again and is recorded with class, message and causes") {
            val failure = JobFailure.of(IllegalStateException("no mail", IOException("reset", IOException())))

            failure.kind shouldBe FailureKind.RETRYABLE
            failure.code shouldBe "job.handler_failed"
            failure.message shouldBe
                "java.lang.IllegalStateException: no mail; caused by java.io.IOException: reset; caused by java.io.IOException"
            failure.exceptionClass() shouldBe "java.lang.IllegalStateException"
            failure.exceptionTypes.shouldContainExactly(
                "java.lang.IllegalStateException",
                "java.lang.RuntimeException",
                "java.lang.Exception",
                "java.lang.Throwable",
            )
        }

        test("an error is a panic") {
            val failure = JobFailure.of(StackOverflowError())

            failure.kind shouldBe FailureKind.PANICKED
            failure.code shouldBe "job.handler_panic"
            failure.exceptionClass() shouldBe "java.lang.StackOverflowError"
        }

        test("wrappers of java.util.concurrent are looked through") {
            val failure = JobFailure.of(CompletionException(ExecutionException(AssertionError("off by one"))))

            failure.kind shouldBe FailureKind.PANICKED
            failure.message shouldBe "java.lang.AssertionError: off by one"
            JobFailure.of(CompletionException("alone", null)).message shouldBe "java.util.concurrent.CompletionException: alone"
        }

        test("causes that form a circle end the story") {
            val first = IOException("first")
            val second = IOException("second", first)
            first.initCause(second)

            JobFailure.of(first).message shouldBe "java.io.IOException: first; caused by java.io.IOException: second"
        }

        test("wrappers that form a circle are reported as they are") {
            val wrapper = object : CompletionException("spinning") {
                override val cause: Throwable get() = this
            }

            JobFailure.of(wrapper).message shouldContain "spinning"
        }

        test("a very long chain of causes is cut") {
            val chain = (1..10_000).fold(IOException("deepest")) { cause, n -> IOException("level $n", cause) }

            val message = JobFailure.of(chain).message

            message.split("caused by").size shouldBe 16
            message shouldStartWith "java.io.IOException: level 10000; caused by java.io.IOException: level 9999"
            message shouldContain "level 9986; 9985 more; caused by "
            message shouldEndWith "caused by java.io.IOException: deepest"
        }

        test("the last cause is complete, however long the messages before it are") {
            val chain = (1..20).fold(IOException("deepest")) { cause, n -> IOException("$n" + "ü".repeat(100_000), cause) }

            val message = JobFailure.of(chain).message

            message shouldEndWith "ü…; 5 more; caused by java.io.IOException: deepest"
            (Text.utf8Length(message) in 8_000L..8L * 1024) shouldBe true
            JobFailure.of(IOException("x".repeat(9_000), IOException("y".repeat(9_000)))).message.let {
                (it.count { c -> c == 'y' } - it.count { c -> c == 'x' } in -2..2) shouldBe true
            }
        }

        test("causes that are made anew at every question come to an end") {
            class Endless : IOException() {
                override val cause: Throwable get() = Endless()
            }

            JobFailure.of(Endless()).message.split("caused by").size shouldBe 16
        }

        test("an exception whose own methods throw is still recorded") {
            class Hostile : RuntimeException() {
                override val message: String get() = error("no message for you")
                override val cause: Throwable get() = throw StackOverflowError()
            }

            val failure = JobFailure.of(Hostile())

            failure.kind shouldBe FailureKind.RETRYABLE
            failure.message shouldContain "Hostile: (its message cannot be read: java.lang.IllegalStateException)"
        }

        test("what a handler got wrong about its own job is terminal under its own code") {
            val mistake = shouldThrow<InvalidRequestException> { JobOutcome.snooze(Duration.ZERO) }

            val failure = JobFailure.of(mistake)

            failure.kind shouldBe FailureKind.TERMINAL
            failure.code shouldBe "job.invalid_delay"
        }

        test("another refused request inside a handler is an ordinary exception") {
            val failure = JobFailure.of(InvalidRequestException(ErrorCode.DEFINITION_UNAVAILABLE, "Not yet defined."))

            failure.kind shouldBe FailureKind.RETRYABLE
            failure.code shouldBe "job.handler_failed"
        }
    })

private fun Codepoint.Companion.everything(): Arb<Codepoint> = io.kotest.property.arbitrary.arbitrary { random ->
    Codepoint(if (random.random.nextInt(4) == 0) random.random.nextInt(0x10FFFF) else random.random.nextInt(0x80))
}
