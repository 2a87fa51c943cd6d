package io.runledger.model.flow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.time.Duration

class RateSpec :
    FunSpec({
        val second = Duration.ofSeconds(1)

        fun refused(code: ErrorCode = ErrorCode.FLOW_LIMIT_INVALID, make: () -> Any?): String {
            val refusal = shouldThrow<InvalidRequestException> { make() }
            refusal.code() shouldBe code
            return refusal.message.orEmpty()
        }

        test("the burst is a tenth of the count, rounded up, unless it is given") {
            listOf(1 to 1, 10 to 1, 11 to 2, 100 to 10, 1_000_000 to 100_000).forEach { (count, burst) ->
                Rate.of(count, second).burst() shouldBe burst
            }
            Rate.of(100, second).withBurst(0) shouldBe Rate(100, second, 0)
        }

        test("a period is rounded up to the microsecond") {
            Rate(1, Duration.ofNanos(1_001), 0).period() shouldBe Duration.ofNanos(2_000)
        }

        test("values out of range are refused, and those at the edge are not") {
            listOf(
                { Rate.of(0, second) },
                { Rate.of(-1, second) },
                { Rate.of(1, Duration.ZERO) },
                { Rate.of(1, Duration.ofSeconds(-1)) },
                { Rate.of(1, Duration.ofDays(366).plusNanos(1)) },
                { Rate.of(1, Duration.ofSeconds(Long.MAX_VALUE)) },
                { Rate.of(1_000_001, second) },
                { Rate(1, second, -1) },
                { Rate(1, Duration.ofDays(366), 2) },
                { Rate(1, Duration.ofDays(366), Int.MAX_VALUE) },
                { LimitValues.permits(-1) },
            ).forEachIndexed { place, make -> withClue(place) { refused { make() } } }
            Rate.of(1, Duration.ofDays(366)).burst() shouldBe 1
            Rate(Int.MAX_VALUE, Duration.ofDays(366), 2_000_000_000)
            LimitValues.permits(0).permits() shouldBe 0
        }

        test("names are short, plain and not reserved") {
            listOf("crm-api", "7", "A.b_c-d", "x".repeat(100)).forEach { FlowName.LIMIT.require(it) shouldBe it }
            listOf("", " ", ".a", "-a", "a b", "a:b", "ä", "a\n", "x".repeat(101), "queue", "order", null).forEach { name ->
                withClue(name) { refused(ErrorCode.FLOW_NAME_INVALID) { FlowName.LIMIT.require(name) } }
            }
            FlowName.QUEUE.require("order") shouldBe "order"
        }
    })
