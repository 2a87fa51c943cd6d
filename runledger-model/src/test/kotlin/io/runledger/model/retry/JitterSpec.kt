package io.runledger.model.retry

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.comparables.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.numericDouble
import io.kotest.property.checkAll
import io.runledger.model.value.UuidV7
import java.math.BigInteger
import java.time.Duration
import java.util.UUID

class JitterSpec :
    FunSpec({
        test("every jitter names its kind") {
            val jitters = listOf(Jitter.none(), Jitter.spread(Duration.ofSeconds(1)), Jitter.ratio(0.1))

            jitters.map { it.kind() } shouldBe Jitter.Kind.entries
        }

        test("a spread is the id as an unsigned number modulo twice the spread, less the spread") {
            checkAll(jobIds, durations, attempts) { id, spread, attempt ->
                val millis = spread.toMillis()
                val expected = id.unsigned().mod(BigInteger.valueOf(2 * millis)).toLong() - millis

                Jitter.spread(spread).offset(1, attempt, id) shouldBe expected
            }
        }

        test("a ratio stays inside its share of the wait") {
            checkAll(jobIds, attempts, Arb.numericDouble(0.001, 1.0), durations) { id, attempt, ratio, duration ->
                val wait = duration.toMillis()
                val most = Math.round(wait * ratio)

                Jitter.ratio(ratio).offset(wait, attempt, id).shouldBeBetween(-most, most)
            }
        }

        test("a ratio differs from attempt to attempt and from job to job") {
            val jitter = Jitter.ratio(0.5)
            val job = UuidV7.next()

            (1..100).map { jitter.offset(1_000_000, it, job) }.distinct() shouldHaveAtLeastSize 95
            List(100) { UuidV7.next() }.map { jitter.offset(1_000_000, 1, it) }.distinct() shouldHaveAtLeastSize 95
        }

        test("a ratio is balanced: jobs in a row move both ways, evenly") {
            val jitter = Jitter.ratio(1.0)
            val offsets = (0L until 10_000L).map { jitter.offset(1_000_000, 1, UUID(0, it)).toDouble() }

            offsets.average().shouldBeBetween(-20_000.0, 20_000.0)
            offsets.count { it < 0 }.toDouble().shouldBeBetween(4_800.0, 5_200.0)
        }

        test("a ratio gives the same offsets in every version") {
            val jitter = Jitter.ratio(0.2)
            val job = UUID.fromString("0197f0a0-1111-7222-8333-444455556666")

            (1..4).map { jitter.offset(100_000, it, job) } shouldBe listOf(12_683L, 19_093L, -5_084L, 225L)
        }
    })
