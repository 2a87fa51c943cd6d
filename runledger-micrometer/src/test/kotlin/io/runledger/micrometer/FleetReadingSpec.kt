package io.runledger.micrometer

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.model.fleet.FleetMetrics
import io.runledger.test.until
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread

class FleetReadingSpec :
    FunSpec({
        fun fleet(runs: Int) = FleetMetrics(
            10, emptyList(), 0, null, FleetMetrics.Workers(0, 0, 0, 0, 0, 0, 0), 0, null, runs.toLong(), 0, null, emptyList(),
            emptyList(),
        )

        class Clock : () -> Long {
            val now = AtomicLong()

            override fun invoke() = now.get()

            fun pass(time: Duration) = now.addAndGet(time.toNanos())
        }

        val long = Duration.ofMinutes(1)
        val age = Duration.ofSeconds(10)

        test("all gauges of a scrape read one snapshot, and the next scrape after its age another") {
            val reads = AtomicInteger()
            val clock = Clock()
            val reading = FleetReading(age, long, clock) { fleet(reads.incrementAndGet()) }

            List(20) { reading.current()?.openRuns() }.distinct() shouldBe listOf(1L)
            clock.pass(age - Duration.ofNanos(1))
            reading.current()?.openRuns() shouldBe 1
            clock.pass(Duration.ofNanos(1))

            reading.current()?.openRuns() shouldBe 2
        }

        test("scrapes at the same time share one read") {
            val reads = AtomicInteger()
            val go = CountDownLatch(1)
            val reading = FleetReading(age, long, Clock()) {
                go.await()
                fleet(reads.incrementAndGet())
            }
            val asking = CountDownLatch(8)
            val seen = java.util.concurrent.ConcurrentLinkedQueue<Long>()
            val threads = List(8) {
                thread {
                    asking.countDown()
                    seen += checkNotNull(reading.current()).openRuns()
                }
            }
            asking.await()
            go.countDown()
            threads.forEach { it.join() }

            seen.toList() shouldBe List(8) { 1L }
        }

        test("a read without an answer costs one scrape its patience, and later gauges nothing, until it is answered") {
            val go = CountDownLatch(1)
            val reads = AtomicInteger()
            val clock = Clock()
            val reading = FleetReading(age, Duration.ofMillis(1), clock) {
                go.await()
                fleet(reads.incrementAndGet())
            }

            reading.current().shouldBeNull()
            clock.pass(Duration.ofHours(1))
            repeat(100) { reading.current().shouldBeNull() }
            go.countDown()
            until("it is answered") { reading.current() != null }

            reads.get() shouldBe 1
        }

        test("a failure counts as a snapshot without numbers, and the next read can succeed") {
            val reads = AtomicInteger()
            val clock = Clock()
            val reading = FleetReading(age, long, clock) {
                if (reads.incrementAndGet() < 3) throw NoSuchMethodError("driver") else fleet(reads.get())
            }

            repeat(10) { reading.current().shouldBeNull() }
            reads.get() shouldBe 1
            clock.pass(age)
            reading.current().shouldBeNull()
            clock.pass(age)

            reading.current()?.openRuns() shouldBe 3
        }

        test("an interrupted scrape has no numbers and stays interrupted") {
            val reading = FleetReading(age, long, Clock()) {
                CountDownLatch(1).await()
                fleet(1)
            }
            var isInterrupted = false
            thread {
                Thread.currentThread().interrupt()
                reading.current().shouldBeNull()
                isInterrupted = Thread.currentThread().isInterrupted
            }.join()

            isInterrupted shouldBe true
        }
    })
