package io.runledger.exposed.metrics

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.Throughput
import java.time.Duration

class ThroughputSpec :
    FunSpec({
        fun Throughput.sums() = points().run {
            Triple(sumOf { it.succeeded() }, sumOf { it.failed() }, sumOf { it.deadLettered() })
        }

        test("a ledger without attempts has 60 empty buckets of a minute") {
            val throughput = freshLedger().client.metrics.throughput(Scope.everything())

            throughput.points().map { it.at() } shouldContainExactly
                List(60) { throughput.from() + Duration.ofMinutes(it.toLong()) }
            throughput.until() shouldBe throughput.from() + Duration.ofHours(1)
            throughput.bucket() shouldBe Duration.ofMinutes(1)
            throughput.isCut() shouldBe false
            throughput.sums() shouldBe Triple(0, 0, 0)
        }

        test("what workers settled counts by how it ended: a retry is a failure, the last attempt a dead letter") {
            val ledger = freshLedger().define("mail")
            val retryable = JobFailure.retryable("test.down", "The server is down.")
            val verdicts = listOf(
                Verdict.Succeed(null),
                Verdict.Continue(null, null, Duration.ofDays(1)),
                Verdict.Retry(retryable, Duration.ofDays(1), null),
                Verdict.DeadLetter(retryable, DeadLetterReason.ATTEMPTS_EXHAUSTED),
                Verdict.DeadLetter(JobFailure.terminal("test.no", "No."), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                Verdict.Snooze(Duration.ofDays(1)),
                Verdict.Cancel("It is not wanted."),
            )
            verdicts.forEach { verdict ->
                ledger.enqueue()
                ledger.settle(ledger.claim().single(), verdict)
            }

            val throughput = ledger.client.metrics.throughput(Scope.everything())

            throughput.sums() shouldBe Triple(2, 1, 2)
            throughput.points().last().run { Triple(succeeded(), failed(), deadLettered()) } shouldBe Triple(2, 1, 2)
        }

        test("attempts are counted in the bucket in which they ended, and not before the window") {
            val ledger = freshLedger().define("mail")
            ledger.ended(3, ago = "interval '30 seconds'")
            ledger.ended(2, ago = "interval '10 minutes 30 seconds'")
            ledger.ended(1, ago = "interval '59 minutes 30 seconds'")
            ledger.ended(4, ago = "interval '60 minutes 30 seconds'")

            val hour = ledger.client.metrics.throughput(Scope.everything())
            val minute = ledger.client.metrics.throughput(Scope.everything(), Duration.ofMinutes(1))

            hour.points().mapIndexedNotNull { place, point ->
                (place to point.succeeded()).takeIf { point.succeeded() > 0 }
            } shouldContainExactly
                listOf(0 to 1L, 49 to 2L, 59 to 3L)
            minute.sums() shouldBe Triple(3, 0, 0)
            minute.bucket() shouldBe Duration.ofSeconds(1)
        }

        test("each scope counts its own attempts") {
            val ledger = freshLedger().define("mail")
            ledger.ended(1, organization = acme)
            ledger.ended(2, organization = bolt)
            ledger.ended(4)

            scopes.map { ledger.client.metrics.throughput(it).sums().first } shouldContainExactly listOf(7, 4, 1)
        }

        test("if a window has more attempts than may be read, a shorter one is read, and the answer says which") {
            val ledger = freshLedger().define("mail")
            ledger.ended(40, ago = "interval '30 minutes'")
            ledger.ended(30, ago = "interval '5 minutes'", organization = acme)
            ledger.ended(20, ago = "interval '30 seconds'")
            fun read(most: Int, scope: Scope = Scope.everything()) =
                ReadThroughput(ledger.client.context, most).throughput(scope, Duration.ofHours(1))

            read(90).run { sums().first to isCut } shouldBe (90L to false)
            read(89).run { sums().first to isCut } shouldBe (50L to true)
            read(89).run { Duration.between(from(), until()) } shouldBe Duration.ofMinutes(10)
            read(49).run { Duration.between(from(), until()) to bucket() } shouldBe
                (Duration.ofMinutes(1) to Duration.ofSeconds(1))
            read(49).sums().first shouldBe 20
            read(19).run { Duration.between(from(), until()) to isCut } shouldBe (Duration.ofSeconds(10) to true)
            // The bound is that of the ledger, whatever the scope.
            read(89, Scope.organization(acme)).run { sums().first to isCut } shouldBe (30L to true)
        }

        test("if even a second has too many, no numbers are given") {
            // With this bound, no window has few enough.
            val none = ReadThroughput(freshLedger().client.context, -1).throughput(Scope.everything(), Duration.ofHours(1))

            none.points().shouldBeEmpty()
            none.isCut shouldBe true
            none.from() shouldBe none.until()
        }

        test("a window is a second to a week") {
            val metrics = freshLedger().client.metrics
            listOf(Duration.ZERO, Duration.ofMillis(999), Duration.ofDays(7).plusNanos(1)).forEach {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { metrics.throughput(Scope.global(), it) }
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { metrics.failureCauses(Scope.global(), it) }
            }
            // The metrics of job types have no bound on the rows that they read.
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { metrics.jobs(Scope.global(), Duration.ofDays(1).plusNanos(1)) }
        }

        test("a week has as many buckets as are asked for, and the attempts of a shorter window have 60") {
            val ledger = freshLedger().define("mail")
            ledger.ended(1, ago = "interval '1 hour'")
            ledger.ended(2, ago = "interval '3 days 1 hour'")
            ledger.ended(3, ago = "interval '6 days 23 hours'")
            ledger.ended(4, ago = "interval '7 days 1 hour'")
            val week = Duration.ofDays(7)

            val whole = ledger.client.metrics.throughput(Scope.everything(), week, 84)
            val cut = ReadThroughput(ledger.client.context, 5).throughput(Scope.everything(), week, 84)

            whole.bucket() shouldBe Duration.ofHours(2)
            whole.points().mapIndexedNotNull { place, point ->
                (place to point.succeeded()).takeIf { point.succeeded() > 0 }
            } shouldContainExactly listOf(0 to 3L, 47 to 2L, 83 to 1L)
            whole.points().size shouldBe 84
            whole.points().map { it.at() } shouldContainExactly List(84) { whole.from() + Duration.ofHours(2L * it) }
            cut.run { Triple(isCut(), points().size, sums().first) } shouldBe Triple(true, 60, 1)
            Duration.between(cut.from(), cut.until()) shouldBe Duration.ofDays(1)
            listOf(0, 1_001).forEach {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.metrics.throughput(Scope.global(), week, it) }
            }
        }
    })
