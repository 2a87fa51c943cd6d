package io.runledger.model.handler

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.FailureKind
import io.runledger.model.failure.JobFailure
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import java.lang.reflect.Type
import java.time.Duration
import java.time.Instant

class JobOutcomeSpec :
    FunSpec({
        test("every outcome names its kind") {
            val outcomes = listOf(
                JobOutcome.succeeded(),
                JobOutcome.failed("c", "m"),
                JobOutcome.retry("c", "m"),
                JobOutcome.canceled("not wanted"),
                JobOutcome.continueNow(),
                JobOutcome.snooze(Duration.ofSeconds(1)),
            )

            outcomes.map { it.kind() } shouldBe JobOutcome.Kind.entries
        }

        test("no output is not the output null") {
            JobOutcome.succeeded().output.shouldBeNull()
            JobOutcome.succeeded(null).output shouldBe Payload.of(null)
            JobOutcome.succeeded(null) shouldNotBe JobOutcome.succeeded()
        }

        test("keeping the payload is not the payload null") {
            JobOutcome.continueNow().payload.shouldBeNull()
            JobOutcome.continueNow(null).payload shouldBe Payload.of(null)
            JobOutcome.continueAfter(Duration.ofSeconds(1)).payload.shouldBeNull()
            JobOutcome.continueAfter(Duration.ofSeconds(1), null).payload shouldBe Payload.of(null)
        }

        test("keeping the checkpoint is not the checkpoint null") {
            JobOutcome.continueNow("rest").checkpoint.shouldBeNull()
            JobOutcome.continueNow("rest").withCheckpoint(null) shouldBe
                JobOutcome.Continue(Payload.of("rest"), Payload.of(null), Duration.ZERO)
        }

        test("content is encoded by the codec, and JSON passes as it is") {
            Payload.of(7).encode(EchoCodec) shouldBe Json.of("\"7\"")
            Payload.of(null).encode(EchoCodec) shouldBe Json.NULL
            Payload.of(Json.of("[ 1 ]")).encode(EchoCodec) shouldBe Json.of("[ 1 ]")
        }

        test("a failure by the handler's own word is terminal") {
            JobOutcome.failed("mail.gone", "never").failure.kind shouldBe FailureKind.TERMINAL
        }

        test("a retry leaves the time to the policy unless it is bounded") {
            JobOutcome.retry("c", "m").notBefore.shouldBeNull()
            JobOutcome.retryAfter(Duration.ofMinutes(1), "c", "m").notBefore shouldBe NotBefore(Duration.ofMinutes(1), null)
            JobOutcome.retryAt(Instant.EPOCH, "c", "m").notBefore shouldBe NotBefore(null, Instant.EPOCH)
        }

        test("a bound of zero, or before anything PostgreSQL knows, is no bound") {
            JobOutcome.retryAfter(Duration.ZERO, "c", "m") shouldBe JobOutcome.retry("c", "m")
            JobOutcome.retryAt(Instant.MIN, "c", "m") shouldBe JobOutcome.retry("c", "m")
        }

        test("a retry keeps its bound when details are added") {
            val outcome = JobOutcome.retryAfter(Duration.ofMinutes(1), "c", "m").withDetails(Json.of("[1]"))

            outcome.failure.details shouldBe Json.of("[1]")
            outcome.notBefore shouldBe NotBefore.after(Duration.ofMinutes(1))
            JobOutcome.failed("c", "m").withDetails(Json.of("[2]")).failure.details shouldBe Json.of("[2]")
        }

        test("a failure of another kind is no wish for a retry") {
            FailureKind.entries.filter { it != FailureKind.RETRYABLE }.forEach { kind ->
                shouldThrow<InvalidRequestException> { JobOutcome.Retry(JobFailure(kind, "c", "m", null, listOf()), null) }
                    .code() shouldBe ErrorCode.INVALID_ARGUMENT
            }
        }

        test("a cancel without a reason says so") {
            JobOutcome.canceled(null).reason shouldBe "CANCELED"
            JobOutcome.canceled(" \u00a0").reason shouldBe "CANCELED"
            JobOutcome.canceled("no\u0000pe").reason shouldBe "no\ufffdpe"
        }

        test("delays round up to what the ledger keeps") {
            JobOutcome.retryAfter(Duration.ofNanos(1), "c", "m").notBefore?.after shouldBe Duration.ofMillis(1)
            JobOutcome.retryAfter(Duration.ofNanos(1_000_001), "c", "m").notBefore?.after shouldBe Duration.ofMillis(2)
            JobOutcome.retryAt(Instant.ofEpochSecond(1, 1), "c", "m").notBefore?.at shouldBe Instant.ofEpochSecond(1, 1_000)
            JobOutcome.continueAfter(Duration.ofNanos(1)).delay shouldBe Duration.ofNanos(1_000)
            JobOutcome.snooze(Duration.ofNanos(1_001)).delay shouldBe Duration.ofNanos(2_000)
            JobOutcome.snooze(Duration.ofMillis(3)).delay shouldBe Duration.ofMillis(3)
        }

        test("times that cannot be stored are refused with the code of their outcome") {
            val negative = Duration.ofNanos(-1)
            val endless = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)
            val tooLong = Duration.ofDays(106_000_000).plusNanos(1)
            val retry = ErrorCode.INVALID_RETRY_TIMING
            val table = listOf<Triple<String, ErrorCode, () -> Any>>(
                Triple("retry after a negative span", retry) { JobOutcome.retryAfter(negative, "c", "m") },
                Triple("retry after forever", retry) { JobOutcome.retryAfter(endless, "c", "m") },
                Triple("retry after too long", retry) { JobOutcome.retryAfter(tooLong, "c", "m") },
                Triple("retry at the end of time", retry) { JobOutcome.retryAt(Instant.MAX, "c", "m") },
                Triple("retry at neither", retry) { NotBefore(null, null) },
                Triple("retry at both", retry) { NotBefore(Duration.ofSeconds(1), Instant.EPOCH) },
                Triple("continue in the past", ErrorCode.INVALID_CONTINUATION_DELAY) { JobOutcome.continueAfter(negative) },
                Triple("continue after forever", ErrorCode.INVALID_CONTINUATION_DELAY) { JobOutcome.continueAfter(endless, 1) },
                Triple("snooze of nothing", ErrorCode.INVALID_DELAY) { JobOutcome.snooze(Duration.ZERO) },
                Triple("snooze into the past", ErrorCode.INVALID_DELAY) { JobOutcome.snooze(negative) },
                Triple("snooze forever", ErrorCode.INVALID_DELAY) { JobOutcome.snooze(tooLong) },
            )

            table.forEach { (clue, code, outcome) ->
                withClue(clue) { shouldThrow<InvalidRequestException> { outcome() }.code() shouldBe code }
            }
        }

        test("the last microsecond PostgreSQL knows is a bound, the next one is not") {
            val last = Instant.parse("+294276-12-31T23:59:59.999999Z")

            JobOutcome.retryAt(last, "c", "m").notBefore?.at shouldBe last
            shouldThrow<InvalidRequestException> { JobOutcome.retryAt(last.plusNanos(1), "c", "m") }
            JobOutcome.retryAt(Instant.parse("-4713-11-24T00:00:00Z"), "c", "m").notBefore.shouldNotBeNull()
        }

        test("the longest delay ends inside PostgreSQL's range") {
            val end = Instant.parse("2027-01-01T00:00:00Z").plus(JobOutcome.snooze(Duration.ofDays(106_000_000)).delay)

            JobOutcome.retryAt(end, "c", "m").notBefore?.at shouldBe end
        }
    })

private object EchoCodec : PayloadCodec {
    override fun encode(value: Any?): Json = if (value == null) Json.NULL else Json.of("\"$value\"")

    override fun decode(json: Json, type: Type): Any? = json.text
}
