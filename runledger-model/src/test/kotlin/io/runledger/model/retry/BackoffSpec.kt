package io.runledger.model.retry

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeBetween
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.time.Duration
import java.util.UUID

class BackoffSpec :
    FunSpec({
        val job = UUID(0, 0)

        test("a fixed wait stays the same") {
            val backoff = Backoff.fixed(Duration.ofSeconds(30))

            listOf(1, 2, 1000, Int.MAX_VALUE).forEach { backoff.delayAfter(it, job) shouldBe Duration.ofSeconds(30) }
        }

        test("a linear wait grows by its increment") {
            val backoff = Backoff.linear(Duration.ofSeconds(10), Duration.ofSeconds(5))

            (1..4).map { backoff.delayAfter(it, job).toSeconds() } shouldBe listOf(10L, 15L, 20L, 25L)
        }

        test("an exponential wait grows by its factor") {
            val backoff = Backoff.exponential(Duration.ofSeconds(1), 1.5)

            (1..4).map { backoff.delayAfter(it, job).toMillis() } shouldBe listOf(1000L, 1500L, 2250L, 3375L)
        }

        test("an attempt below one counts as the first") {
            val backoff = Backoff.exponential(Duration.ofSeconds(1), 2.0)

            listOf(0, -1, Int.MIN_VALUE).forEach { backoff.delayAfter(it, job) shouldBe Duration.ofSeconds(1) }
        }

        test("without a cap the wait ends at what the ledger can keep") {
            val longest = Duration.ofMillis(Int.MAX_VALUE.toLong())

            Backoff.linear(longest, longest).delayAfter(Int.MAX_VALUE, job) shouldBe longest
            Backoff.exponential(Duration.ofMillis(1), 2.0).delayAfter(32, job) shouldBe longest
            Backoff.exponential(longest, Double.MAX_VALUE).delayAfter(Int.MAX_VALUE, job) shouldBe longest
        }

        test("without jitter the wait never shrinks and never passes the cap") {
            checkAll(backoffs, attempts, attempts) { backoff, one, other ->
                val plain = backoff.withJitter(Jitter.none())
                val earlier = plain.delayAfter(minOf(one, other), job).toMillis()
                val later = plain.delayAfter(maxOf(one, other), job).toMillis()

                later shouldBeGreaterThanOrEqual earlier
                later.shouldBeBetween(1L, plain.cap.toMillis())
            }
        }

        test("any backoff gives a wait the ledger can keep, the same each time") {
            checkAll(backoffs, attempts, jobIds) { backoff, attempt, id ->
                val delay = backoff.delayAfter(attempt, id)

                delay.toMillis().shouldBeBetween(1L, Int.MAX_VALUE.toLong())
                delay shouldBe Duration.ofMillis(delay.toMillis())
                backoff.delayAfter(attempt, UUID.fromString(id.toString())) shouldBe delay
            }
        }

        test("jitter brings no wait below a second that was not shorter before") {
            val tenth = Backoff.fixed(Duration.ofMillis(100)).withJitter(Jitter.spread(Duration.ofHours(1)))
            val twoSeconds = Backoff.fixed(Duration.ofSeconds(2)).withJitter(Jitter.spread(Duration.ofHours(1)))

            // The id 0 has the smallest offset.
            tenth.delayAfter(1, job) shouldBe Duration.ofMillis(100)
            twoSeconds.delayAfter(1, job) shouldBe Duration.ofSeconds(1)
        }

        test("jitter comes on top of the cap") {
            val backoff = Backoff.exponential(Duration.ofSeconds(10), 2.0)
                .withCap(Duration.ofMinutes(1))
                .withJitter(Jitter.spread(Duration.ofSeconds(1)))

            backoff.delayAfter(9, UUID(0, 1_999)) shouldBe Duration.ofMillis(60_999)
        }

        test("spans round up to the millisecond") {
            Backoff.fixed(Duration.ofNanos(1)) shouldBe Backoff.fixed(Duration.ofMillis(1))
            Backoff.fixed(Duration.ofNanos(1_000_001)).curve.initial() shouldBe Duration.ofMillis(2)
        }

        test("numbers that make no sense are refused, naming the member") {
            val second = Duration.ofSeconds(1)
            val table = listOf<Pair<String, () -> Any>>(
                "initial" to { Backoff.fixed(Duration.ZERO) },
                "initial" to { Backoff.linear(Duration.ofNanos(-1), second) },
                "initial" to { Backoff.exponential(Duration.ofDays(25), 2.0) },
                "initial" to { Backoff.fixed(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)) },
                "initial" to { Backoff.fixed(Duration.ofMillis(Int.MAX_VALUE.toLong()).plusNanos(1)) },
                "increment" to { Backoff.linear(second, Duration.ZERO) },
                "factor" to { Backoff.exponential(second, 0.999) },
                "factor" to { Backoff.exponential(second, Double.NaN) },
                "factor" to { Backoff.exponential(second, Double.POSITIVE_INFINITY) },
                "cap" to { Backoff.fixed(second).withCap(Duration.ZERO) },
                "cap" to { RetryPolicy.builder().cap(Duration.ofDays(365)) },
                "jitter.spread" to { Jitter.spread(Duration.ZERO) },
                "jitter.ratio" to { Jitter.ratio(0.0) },
                "jitter.ratio" to { Jitter.ratio(1.01) },
                "jitter.ratio" to { Jitter.ratio(Double.NaN) },
            )

            table.forEachIndexed { row, (member, refused) ->
                withClue("row $row") {
                    val error = shouldThrow<InvalidRequestException> { refused() }
                    error.code() shouldBe ErrorCode.INVALID_RETRY_POLICY
                    error.message shouldContain "'$member'"
                }
            }
        }
    })
