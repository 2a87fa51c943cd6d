package io.runledger.model.job

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import java.lang.reflect.Type
import java.time.Duration
import java.time.Instant

private val hour: Duration = Duration.ofHours(1)

private data class Refused(val what: String, val code: ErrorCode, val build: JobRequest.Builder.() -> Unit)

class JobRequestSpec :
    FunSpec({
        val mail = JobType.json("mail.send")

        test("what is not said is left to the definition") {
            val request = JobRequest.of(mail, Json.EMPTY_OBJECT)

            request.settings() shouldBe JobSettings.NONE
            request.idempotencyKey() shouldBe null
        }

        test("timeouts are rounded up to whole seconds") {
            JobRequest.builder(mail, Json.NULL).timeout(Duration.ofMillis(1_001)).build().settings().timeout() shouldBe
                Duration.ofSeconds(2)
        }

        context("bad values are refused with their code") {
            withData<Refused>(
                { it.what },
                Refused("zero attempts", ErrorCode.INVALID_MAX_ATTEMPTS) { maxAttempts(0) },
                Refused("negative attempts", ErrorCode.INVALID_MAX_ATTEMPTS) { maxAttempts(Int.MIN_VALUE) },
                Refused("a timeout under a second", ErrorCode.INVALID_TIMEOUT) { timeout(Duration.ofMillis(999)) },
                Refused("an endless timeout", ErrorCode.INVALID_TIMEOUT) { timeout(Duration.ofSeconds(Long.MAX_VALUE)) },
                Refused("a negative delay", ErrorCode.INVALID_DELAY) { delay(Duration.ofNanos(-1)) },
                Refused("delay and time together", ErrorCode.INVALID_DELAY) { delay(Duration.ZERO).runAt(Instant.EPOCH) },
                Refused("a time PostgreSQL does not know", ErrorCode.INVALID_DELAY) { runAt(Instant.MAX) },
                Refused("a blank key", ErrorCode.INVALID_IDEMPOTENCY_KEY) { idempotencyKey("\u3000") },
                Refused("a key with NUL", ErrorCode.INVALID_IDEMPOTENCY_KEY) { idempotencyKey("a\u0000") },
                Refused("an oversized key", ErrorCode.INVALID_IDEMPOTENCY_KEY) { idempotencyKey("k".repeat(513)) },
                Refused("a blank unique key", ErrorCode.INVALID_JOB_KEY) { unique(Uniqueness.whilePending(" ")) },
                Refused("an oversized unique key", ErrorCode.INVALID_JOB_KEY) {
                    unique(Uniqueness.whileUnfinished("é".repeat(257)))
                },
                Refused("a throttle key with NUL", ErrorCode.INVALID_JOB_KEY) { throttle("a\u0000", hour) },
                Refused("a blank debounce key", ErrorCode.INVALID_JOB_KEY) { debounce("", hour, hour) },
                Refused("a blank key of a replacement", ErrorCode.INVALID_JOB_KEY) { replacePending("\t", ReplacedPart.TIME) },
                Refused("a replacement of nothing", ErrorCode.INVALID_ARGUMENT) { replacePending("k") },
                Refused("an empty window", ErrorCode.INVALID_KEY_DURATION) { unique(Uniqueness.within("k", Duration.ZERO)) },
                Refused("a negative window", ErrorCode.INVALID_KEY_DURATION) {
                    unique(Uniqueness.whilePending("k").orWithin(Duration.ofNanos(-1)))
                },
                Refused("an endless window", ErrorCode.INVALID_KEY_DURATION) {
                    throttle("k", Duration.ofSeconds(Long.MAX_VALUE))
                },
                Refused("no state and no window", ErrorCode.INVALID_KEY_DURATION) {
                    unique(Uniqueness("k", Uniqueness.Span.NONE, null))
                },
                Refused("an empty pause", ErrorCode.INVALID_KEY_DURATION) { debounce("k", Duration.ZERO, hour) },
                Refused("a limit that is shorter than the pause", ErrorCode.INVALID_KEY_DURATION) {
                    debounce("k", hour, hour.minusNanos(1))
                },
                Refused("an endless limit", ErrorCode.INVALID_KEY_DURATION) { debounce("k", hour, Duration.ofDays(36_500)) },
                Refused("a unique and an idempotency key", ErrorCode.KEY_NOT_COMBINABLE) {
                    unique(Uniqueness.whilePendingByPayload()).idempotencyKey("k")
                },
                Refused("two rules", ErrorCode.KEY_NOT_COMBINABLE) { throttle("k", hour).debounce("k", hour, hour) },
                Refused("a debounced job with a delay", ErrorCode.KEY_NOT_COMBINABLE) { debounce("k", hour, hour).delay(hour) },
                Refused("a debounced job with a time", ErrorCode.KEY_NOT_COMBINABLE) {
                    runAt(Instant.EPOCH).debounce("k", hour, hour)
                },
            ) { (_, code, build) ->
                val refused = shouldThrow<InvalidRequestException> { JobRequest.builder(mail, Json.NULL).apply(build).build() }
                refused.code() shouldBe code
            }
        }

        test("a blank or oversized job type is refused") {
            listOf("", " ", "\u00a0\t", "x".repeat(256), "mail\nsend").forEach { name ->
                listOf({ JobRequest.builder(name, Json.NULL).build() }, { JobType.json(name) }).forEach { build ->
                    shouldThrow<InvalidRequestException> { build() }.code() shouldBe ErrorCode.INVALID_JOB_TYPE
                }
            }
        }

        test("a declared type checks its own defaults") {
            fun refusal(settings: JobType.Builder<String>.() -> Unit): ErrorCode = shouldThrow<InvalidRequestException> {
                JobType.builder("mail.send", String::class.java).apply(settings).build()
            }.code()

            refusal { maxAttempts(0) } shouldBe ErrorCode.INVALID_MAX_ATTEMPTS
            refusal { timeout(Duration.ZERO) } shouldBe ErrorCode.INVALID_TIMEOUT
            refusal { version(0) } shouldBe ErrorCode.INVALID_ARGUMENT
        }

        test("a payload the codec cannot encode is refused without showing it") {
            val failing = object : PayloadCodec {
                override fun encode(value: Any?): Json = error("cannot encode $value")
                override fun decode(json: Json, type: Type): Any? = null
            }

            val refused = shouldThrow<InvalidRequestException> { Payload.of("secret").encode(failing) }

            refused.code() shouldBe ErrorCode.INVALID_PAYLOAD
            refused.message!! shouldNotContain "secret"
            Payload.of("secret").toString() shouldNotContain "secret"
            Payload.json("[1]").encode(failing) shouldBe Json.of("[1]")
        }
    })
