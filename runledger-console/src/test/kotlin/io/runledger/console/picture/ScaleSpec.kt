package io.runledger.console.picture

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtMostSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.console.picture.scale.CountScale
import io.runledger.console.picture.scale.TimeScale
import io.runledger.console.picture.scale.shownCount
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.scale.timeTicks
import java.time.Duration
import java.time.ZoneId
import java.time.ZoneOffset

class ScaleSpec :
    FunSpec({
        test("an axis of counts ends at or above its largest count, with few whole ticks") {
            for (most in listOf(0.0, 0.5, 1.0, 2.0, 3.0, 9.0, 10.0, 11.0, 99.0, 101.0, 12_345.0, 1e9, 9.2e18, 1e22)) {
                val scale = CountScale(most, 4)
                withClue("$most: ${scale.ticks}") {
                    scale.top shouldBeGreaterThanOrEqual most
                    scale.ticks.shouldHaveAtMostSize(6)
                    scale.ticks.distinct().size shouldBe scale.ticks.size
                    scale.ticks.all { it == Math.rint(it) } shouldBe true
                    scale.share(most) shouldBeGreaterThanOrEqual if (most >= 1) 0.5 else 0.0
                }
            }
            CountScale(37.0, 4).ticks shouldBe listOf(0.0, 10.0, 20.0, 30.0, 40.0)
        }

        test("counts are short") {
            listOf(0.0, 7.0, 999.0, 1_000.0, 1_250.0, 37_400.0, 999_999.0, 2.5e6, 1e9, 9.2e18).map(::shownCount) shouldBe
                listOf("0", "7", "999", "1k", "1.2k", "37.4k", "999k", "2.5M", "1G", "9.2E")
        }

        test("durations have their two largest units") {
            listOf(-5L, 0, 1, 850, 1_000, 3_449, 9_999, 42_000, 60_000, 312_000, 12_000_000, 90_000_000, 8_640_000_000)
                .map { shownDuration(Duration.ofMillis(it)) } shouldBe
                listOf(
                    "0 ms", "0 ms", "1 ms", "850 ms", "1.0 s", "3.4 s", "9.9 s", "42 s",
                    "1m", "5m 12s", "3h 20m", "1d 1h", "100d",
                )
            shownDuration(Duration.ofNanos(500)) shouldBe "0 ms"
            shownDuration(Duration.ofSeconds(Long.MAX_VALUE)).last() shouldBe 'h'
        }

        test("every span from a millisecond to a hundred years has ticks inside it") {
            val day = 86_400_000L
            val spans = listOf(1L, 3, 40, 999, 60_000, 119_000, 121_000, 3_600_000, day, 8 * day, 100 * day, 36_500 * day)
            for (zone in listOf(ZoneOffset.UTC, ZoneId.of("Europe/Berlin"), ZoneId.of("Asia/Kathmandu"))) {
                for (span in spans) {
                    for (most in listOf(1, 4, 8)) {
                        val end = START.plusMillis(span)
                        val ticks = timeTicks(START, end, most, zone)
                        withClue("$span ms in $zone, at most $most: $ticks") {
                            ticks.shouldHaveAtMostSize(most + 1)
                            ticks.all { !it.at.isBefore(START) && !it.at.isAfter(end) } shouldBe true
                            ticks.zipWithNext().all { (one, next) -> one.at < next.at } shouldBe true
                            if (most > 2) ticks.shouldNotBeEmpty()
                        }
                    }
                }
            }
        }

        test("short spans count from their start, longer ones show clock times and dates") {
            timeTicks(START, at(1), 5, ZoneOffset.UTC).map { it.label } shouldBe
                listOf("0", "+200 ms", "+400 ms", "+600 ms", "+800 ms", "+1.0 s")
            timeTicks(START, at(600), 5, ZoneOffset.UTC).map { it.label } shouldBe
                listOf("14:06", "14:08", "14:10", "14:12", "14:14")
            timeTicks(START, at(14 * 3600), 5, ZoneId.of("Europe/Berlin")).map { it.label } shouldBe
                listOf("18:00", "21:00", "Nov 20", "03:00")
            timeTicks(START, at(20 * 86_400), 5, ZoneOffset.UTC).map { it.label } shouldBe listOf("Nov 23", "Nov 30", "Dec 7")
        }

        test("an instant outside the axis is at its edge, and an axis without a length has one") {
            val scale = TimeScale(START, START, 10.0, 20.0)

            scale.at(START.minusSeconds(5)) shouldBe 10.0
            scale.at(START) shouldBe 10.0
            scale.at(START.plusSeconds(5)) shouldBe 20.0
        }
    })
