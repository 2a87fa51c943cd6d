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
import java.lang.reflect.Type
import java.time.Duration
import java.time.Instant

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
