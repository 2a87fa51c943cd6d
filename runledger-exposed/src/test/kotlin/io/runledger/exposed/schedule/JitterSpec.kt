package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.javaInstant
import io.kotest.property.arbitrary.long
import io.kotest.property.arbitrary.uuid
import io.kotest.property.checkAll
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.UUID

class JitterSpec :
    FunSpec({
        val nil = UUID(0, 0)

        test("the delay is a fixed function of schedule and instant") {
            val id = UUID.fromString("018fa1f8-0000-7000-8000-000000000123")
            jitterSeconds(id, Instant.parse("2026-05-26T12:01:00Z"), 30) shouldBe 3
            jitterSeconds(nil, Instant.parse("2026-02-01T12:05:00Z"), 60) shouldBe 54
            jitterSeconds(nil, Instant.parse("2026-02-01T12:00:01Z"), 5) shouldBe 4
            jitterSeconds(nil, Instant.parse("2026-02-01T12:00:03Z"), 5) shouldBe 0
            jitterSeconds(id, Instant.parse("2026-05-26T12:01:00Z"), 0) shouldBe 0
        }

        test("the delay is what arithmetic on 128 bits gives") {
            val instants = Arb.javaInstant(Instant.EPOCH, Instant.parse("2199-01-01T00:00:00Z"))
            checkAll(500, Arb.uuid(), instants, Arb.int(1..86_400)) { id, base, most ->
                val whole = BigInteger(id.toString().replace("-", ""), 16).xor(BigInteger.valueOf(base.toEpochMilli()))
                val expected = whole.mod(BigInteger.valueOf(most + 1L)).toLong()
                jitterSeconds(id, base, most.toLong()) shouldBe expected
                expected shouldBeInRange 0L..most.toLong()
            }
        }

        test("the next fire is the earliest delayed instant after now, also of an instant that lies before now") {
            val everySecond = CronRecurrence(CronTimes.parse("* * * * * *"), ZoneId.of("UTC"))
            val recurrence = JitteredRecurrence(everySecond, nil, Duration.ofSeconds(5))
            val now = Instant.parse("2026-02-01T12:00:03Z")
            val delayed = (-10L..10L).map { now.plusSeconds(it) }.map { it.plusSeconds(jitterSeconds(nil, it, 5)) }

            recurrence.next(now) shouldBe delayed.filter { it > now }.min()
        }

        test("following the fires meets every delayed instant in order") {
            checkAll(40, Arb.uuid(), Arb.int(0..900), Arb.long(60L..400L)) { id, most, interval ->
                val anchor = Instant.parse("2026-02-01T00:00:00Z")
                val bases = IntervalRecurrence(anchor, Duration.ofSeconds(interval))
                val recurrence = JitteredRecurrence(bases, id, Duration.ofSeconds(most.toLong()))
                val expected = (0L..60L).map { anchor.plusSeconds(it * interval) }
                    .map { it.plusSeconds(jitterSeconds(id, it, most.toLong())) }.distinct().sorted().take(30)

                generateSequence(recurrence.next(anchor.minusSeconds(2_000)), recurrence::next).take(30).toList() shouldBe
                    expected
            }
        }

        test("a jitter that spans a day of seconds is still found quickly") {
            val everySecond = CronRecurrence(CronTimes.parse("* * * * * *"), ZoneId.of("UTC"))
            val now = Instant.parse("2026-02-01T12:00:03Z")

            val next = JitteredRecurrence(everySecond, UUID.randomUUID(), Duration.ofDays(1)).next(now)!!

            Duration.between(now, next).seconds shouldBeInRange 0L..86_400L
        }
    })
