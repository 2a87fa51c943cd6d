package io.runledger.exposed.metrics

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant

class FailureCausesSpec :
    FunSpec({
        test("failed attempts count by type and code, most frequent first, with and without a retry") {
            val ledger = freshLedger().define("mail", "call")
            ledger.ended(2, outcome = "RETRYABLE", code = "down", retryDelay = 5, status = "PENDING")
            ledger.ended(1, ago = "interval '0 seconds'", outcome = "TIMEOUT", code = "down", status = "DEAD_LETTERED")
            ledger.ended(2, type = "call", outcome = "PANICKED", code = "down", retryDelay = 5, status = "PENDING")
            ledger.ended(1, outcome = "LEASE_EXPIRED", code = null, retryDelay = 5, status = "PENDING")
            ledger.ended(9)
            ledger.ended(9, outcome = "INTERRUPTED", code = "SHUTDOWN", status = "PENDING")
            ledger.ended(9, outcome = "CANCELED", status = "CANCELED")
            ledger.ended(9, ago = "interval '61 minutes'", outcome = "TERMINAL", code = "old", status = "DEAD_LETTERED")

            val causes = ledger.client.metrics.failureCauses(Scope.everything())

            causes.map { Triple(it.jobType(), it.errorCode(), it.count()) } shouldContainExactly
                listOf(Triple("mail", "down", 3L), Triple("call", "down", 2L), Triple("mail", null, 1L))
            causes.map { it.window() }.distinct() shouldContainExactly listOf(Duration.ofHours(1))
            causes.first().lastAt() shouldBe Instant.parse(
                ledger.value(
                    "SELECT to_json(finished_at AT TIME ZONE 'UTC') #>> '{}' || 'Z' FROM runledger.job_attempts WHERE outcome = 'TIMEOUT'",
                ),
            )
            ledger.client.metrics.failureCauses(Scope.everything(), Duration.ofHours(1), 1).map {
                it.count()
            } shouldContainExactly
                listOf(3L)
            ledger.client.metrics.failureCauses(Scope.everything(), Duration.ofDays(1)).first().errorCode() shouldBe "old"
        }

        test("each scope counts its own failures") {
            val ledger = freshLedger().define("mail")
            ledger.ended(1, organization = acme, outcome = "TERMINAL", code = "a", status = "DEAD_LETTERED")
            ledger.ended(2, organization = bolt, outcome = "TERMINAL", code = "b", status = "DEAD_LETTERED")
            ledger.ended(4, outcome = "TERMINAL", code = "c", status = "DEAD_LETTERED")

            scopes.map { scope -> ledger.client.metrics.failureCauses(scope).map { it.errorCode() } } shouldContainExactly
                listOf(listOf("c", "b", "a"), listOf("c"), listOf("a"))
        }

        test("if a window has more attempts than may be read, a shorter one is counted, and every cause says so") {
            val ledger = freshLedger().define("mail")
            ledger.ended(9, ago = "interval '30 minutes'")
            ledger.ended(2, ago = "interval '5 minutes'", outcome = "TERMINAL", code = "down", status = "DEAD_LETTERED")
            fun read(most: Int) =
                ReadFailureCauses(ledger.client.context, most).causes(Scope.everything(), Duration.ofHours(1), 20)

            read(11).single().window() shouldBe Duration.ofHours(1)
            read(10).single().run { window() to count() } shouldBe (Duration.ofMinutes(10) to 2L)
            read(1).shouldBeEmpty()
        }

        test("a limit out of range is refused") {
            val metrics = freshLedger().client.metrics
            listOf(0, 1_001).forEach {
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { metrics.failureCauses(Scope.global(), Duration.ofHours(1), it) }
            }
        }
    })
