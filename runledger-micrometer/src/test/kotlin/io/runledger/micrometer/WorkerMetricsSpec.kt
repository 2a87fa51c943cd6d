package io.runledger.micrometer

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.micrometer.core.instrument.Tags
import io.micrometer.core.instrument.simple.SimpleMeterRegistry
import io.runledger.coroutines.WorkerMeter
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

class WorkerMetricsSpec :
    FunSpec({
        fun job(type: String) = ClaimedJob(
            Lease(UUID.randomUUID(), 1, 1, "w1", UUID.randomUUID(), false),
            type, null, 100, 3, 0, Duration.ofMinutes(1), Json.EMPTY_OBJECT, null, null, emptyMap(),
            Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, 0, null,
        )

        fun WorkerMetrics.fail(type: String, code: String) =
            ended(job(type), WorkerMeter.Result.RETRIED, 1, JobFailure.retryable(code, "It broke."), null)

        test("types beyond the limit share the type other, and lose nothing") {
            val registry = SimpleMeterRegistry()
            val metrics = WorkerMetrics.builder(registry).maxTypes(3).build()

            repeat(10) { n -> metrics.ended(job("type$n"), WorkerMeter.Result.SUCCEEDED, 1, null, null) }
            metrics.ended(job("type2"), WorkerMeter.Result.SUCCEEDED, 1, null, null)

            val counts = registry.find("runledger.job.attempts").tag("result", "succeeded").counters().associate {
                it.id.getTag("type") to
                    it.count()
            }
            counts shouldBe mapOf("type0" to 1.0, "type1" to 1.0, "type2" to 2.0, "other" to 7.0)
        }

        test("codes of handlers beyond the limit share the code other, codes of the library never do") {
            val registry = SimpleMeterRegistry()
            val metrics = WorkerMetrics.builder(registry).maxCodes(2).build()

            repeat(5) { metrics.fail("mail", "code.$it") }
            metrics.fail("mail", "code.1")
            metrics.fail("mail", ErrorCode.HANDLER_FAILED.wire())

            val counts = registry.find("runledger.job.retries").counters().associate { it.id.getTag("code") to it.count() }
            counts shouldBe mapOf("code.0" to 1.0, "code.1" to 2.0, "other" to 3.0, "job.handler_failed" to 1.0)
        }

        test("many threads that meet many types at once stay within the limit and lose nothing") {
            val registry = SimpleMeterRegistry()
            val metrics = WorkerMetrics.builder(registry).maxTypes(7).build()

            val threads =
                List(8) {
                    thread { repeat(2_000) { n -> metrics.ended(job("type${n % 40}"), WorkerMeter.Result.LOST, 0, null, null) } }
                }
            threads.forEach { it.join() }

            val lost = registry.find("runledger.job.attempts").tag("result", "lost").counters()
            lost shouldHaveSize 8
            lost.sumOf { it.count() } shouldBe 16_000.0
        }

        test("an attempt without a start has no run time") {
            val registry = SimpleMeterRegistry()

            WorkerMetrics(registry).ended(job("mail"), WorkerMeter.Result.RELEASED, 0, null, null)

            registry.find("runledger.job.run").timers().shouldBeEmpty()
        }

        test("a dead letter without a failure of its own counts with the code other") {
            val registry = SimpleMeterRegistry()

            WorkerMetrics(registry).ended(job("mail"), WorkerMeter.Result.DEAD_LETTERED, 1, null, DeadLetterReason.LEASE_EXPIRED)

            registry.get("runledger.job.dead.letters").tags("code", "other", "reason", "lease_expired").counter().count() shouldBe
                1.0
        }

        test("tags of the builder are on every meter, buckets are those that were asked for") {
            val registry = SimpleMeterRegistry()
            val metrics = WorkerMetrics.builder(registry).tags(Tags.of("ledger", "orders")).buckets(Duration.ofSeconds(2)).build()

            metrics.started(job("mail"), TimeUnit.SECONDS.toNanos(1))
            metrics.fail("mail", "code.1")

            registry.meters.filterNot { it.id.getTag("ledger") == "orders" }.shouldBeEmpty()
            registry.get("runledger.job.wait").timer().takeSnapshot().histogramCounts().map {
                it.bucket(TimeUnit.SECONDS)
            } shouldBe
                listOf(2.0)
        }

        test("outages are counted by their code, and the gauge returns to zero") {
            val registry = SimpleMeterRegistry()
            val metrics = WorkerMetrics(registry)
            val gauge = registry.get("runledger.worker.unavailable").gauge()

            metrics.unavailable(UnavailableException(ErrorCode.DB_UNREACHABLE, "Away."))
            gauge.value() shouldBe 1.0
            metrics.available()

            gauge.value() shouldBe 0.0
            registry.get("runledger.worker.outages").tag("code", "db.unreachable").counter().count() shouldBe 1.0
        }

        test("settings that make no sense are refused with their name") {
            val builder = WorkerMetrics.builder(SimpleMeterRegistry())

            shouldThrow<IllegalArgumentException> { builder.maxTypes(-1) }.message shouldContain "maxTypes"
            shouldThrow<IllegalArgumentException> { builder.maxCodes(-1) }.message shouldContain "maxCodes"
            shouldThrow<IllegalArgumentException> { builder.buckets(Duration.ZERO) }.message shouldContain "buckets"
        }
    })
