package io.runledger.exposed.metrics

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.DurationHistogram
import java.time.Duration

class DurationsSpec :
    FunSpec({
        fun TestLedger.durations(scope: Scope = Scope.everything(), jobs: Int = 1_000) =
            client.metrics.durations(scope, "mail", jobs)

        fun DurationHistogram.counts() = buckets().filter { it.count() > 0 }.map { it.upTo() to it.count() }

        test("the bounds of the buckets ascend from a millisecond to a day") {
            DurationHistogram.BOUNDS.shouldBeSorted()
            DurationHistogram.BOUNDS.first() shouldBe Duration.ofMillis(1)
            DurationHistogram.BOUNDS.last() shouldBe Duration.ofDays(1)
        }

        test("a type without ended jobs has an empty histogram") {
            val ledger = freshLedger().define("mail", "call")
            ledger.ended(3, type = "call")
            ledger.ended(3, outcome = "RETRYABLE", retryDelay = 5, status = "PENDING")

            val histogram = ledger.durations()

            histogram.jobType() shouldBe "mail"
            histogram.attempts() shouldBe 0
            histogram.buckets().shouldBeEmpty()
            listOf(histogram.p50(), histogram.p99(), histogram.max(), histogram.since()).forEach { it.shouldBeNull() }
            ledger.client.metrics.durations(Scope.global(), "unknown").attempts() shouldBe 0
        }

        test("durations are counted in buckets of growing length, with percentiles") {
            val ledger = freshLedger().define("mail", "call")
            ledger.ended(100, ago = "n * interval '1 second'", took = "n * interval '10 milliseconds'")
            ledger.ended(1, took = "interval '0'")
            ledger.ended(1, took = "interval '1 millisecond'")
            ledger.ended(1, took = "interval '3 days'", ago = "interval '2 hours'")
            ledger.ended(5, type = "call")

            val histogram = ledger.durations()

            histogram.attempts() shouldBe 103
            histogram.buckets().map { it.upTo() } shouldContainExactly DurationHistogram.BOUNDS
            histogram.counts() shouldContainExactly listOf(
                Duration.ofMillis(1) to 1L,
                Duration.ofMillis(2) to 1L,
                Duration.ofMillis(20) to 1L,
                Duration.ofMillis(50) to 3L,
                Duration.ofMillis(100) to 5L,
                Duration.ofMillis(200) to 10L,
                Duration.ofMillis(500) to 30L,
                Duration.ofSeconds(1) to 50L,
                Duration.ofSeconds(2) to 1L,
                Duration.ofDays(1) to 1L,
            )
            histogram.p50() shouldBe Duration.ofMillis(500)
            histogram.p95() shouldBe Duration.ofMillis(959)
            histogram.max() shouldBe Duration.ofDays(3)
        }

        test("the attempts of the jobs that ended last count, also their earlier ones, but none that was interrupted") {
            val ledger = freshLedger().define("mail")
            ledger.ended(10, ago = "interval '1 hour'", took = "interval '1 minute'")
            ledger.ended(1, took = "interval '1 second'", status = "CANCELED")
            ledger.run(
                """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, outcome, worker_id)
                    SELECT id, 1, a, t - interval '3 hours', t - interval '3 hours', t - interval '2 hours', 30, outcome::runledger.job_failure_kind, 'w'
                    FROM runledger.job_queue, now() t, (VALUES (2, 'RETRYABLE'), (3, 'INTERRUPTED')) AS given (a, outcome) WHERE status = 'CANCELED'""",
            )

            ledger.durations(jobs = 1).counts() shouldContainExactly
                listOf(Duration.ofSeconds(2) to 1L, Duration.ofHours(2) to 1L)
            ledger.durations(jobs = 4).attempts() shouldBe 5
        }

        test("of a job with many attempts the last twenty count") {
            val ledger = freshLedger().define("mail")
            ledger.ended(1)
            ledger.run(
                """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, outcome, worker_id)
                    SELECT id, 1, a, t, t, t, 30, 'RETRYABLE', 'w' FROM runledger.job_queue, now() t, generate_series(2, 99) a""",
            )

            ledger.durations().attempts() shouldBe 20
        }

        test("each scope has its own durations") {
            val ledger = freshLedger().define("mail")
            ledger.ended(1, organization = acme)
            ledger.ended(2, organization = bolt)
            ledger.ended(4)

            scopes.map { ledger.durations(it).attempts() } shouldContainExactly listOf(7, 4, 1)
        }

        test("no more attempts are read than the bound, the last ones") {
            val ledger = freshLedger().define("mail", "call")
            ledger.ended(5, ago = "interval '2 days'")
            ledger.ended(4, ago = "interval '2 hours'")
            ledger.ended(3, ago = "interval '5 minutes'")
            ledger.ended(2, type = "call")
            fun read(most: Int) = ReadDurations(ledger.client.context, most).durations(Scope.everything(), "mail", 100).attempts()

            listOf(14, 13, 9, 8, 5, 4, 2, 1).map(::read) shouldContainExactly listOf(12, 7, 7, 3, 3, 0, 0, 0)
        }

        test("a number of jobs out of range is refused") {
            listOf(0, 10_001).forEach { shouldRefuse(ErrorCode.INVALID_ARGUMENT) { freshLedger().durations(jobs = it) } }
        }
    })
