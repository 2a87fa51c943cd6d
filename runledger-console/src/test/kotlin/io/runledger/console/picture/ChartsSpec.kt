package io.runledger.console.picture

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerState
import java.time.Duration
import java.util.UUID

private val MINUTES_5 = Duration.ofMinutes(5)

private fun bars(vararg counts: List<Long>) = Bars(
    START,
    MINUTES_5,
    listOf("succeeded" to Tone.SUCCEEDED, "failed" to Tone.FAILED, "dead" to Tone.DEAD)
        .zip(counts) { (name, tone), list -> BarSeries(name, tone, list) },
)

private val plain = PictureOptions.builder().withoutLegend().build()

private fun texts(drawn: DrawnSvg) = drawn.named("text").map { it.textContent }

private fun insideBars(drawn: DrawnSvg) {
    for (bar in drawn.withClass("rl-bar").filter { it.tagName == "rect" }) {
        withClue(bar.getAttribute("class")) {
            val (x, y, width, height) = listOf("x", "y", "width", "height").map { bar.getAttribute(it).toDouble() }
            (x >= 0 && y >= 0 && width > 0 && height > 0) shouldBe true
            (x + width <= drawn.width + 0.02 && y + height <= drawn.height + 0.02) shouldBe true
        }
    }
}

class ChartsSpec :
    FunSpec({
        test("a throughput chart stacks its series, and says each bucket in a title") {
            val drawn = DrawnSvg(ThroughputChart(bars(listOf(100, 50), listOf(0, 25), listOf(0, 25))).svg(plain))

            val rects = drawn.withClass("rl-bar").filter { it.tagName == "rect" }
            rects.map { it.getAttribute("class") } shouldContainExactly
                listOf("rl-bar rl-succeeded", "rl-bar rl-succeeded", "rl-bar rl-failed", "rl-bar rl-dead")
            val (whole, half, quarter, top) = rects.map { it.getAttribute("height").toDouble() }
            (half * 2) shouldBe whole
            (quarter * 4) shouldBe whole
            (top * 4) shouldBe whole
            rects[3].getAttribute("y") shouldBe rects[0].getAttribute("y")
            drawn.named("title").map { it.textContent } shouldContain
                "2026-11-19 14:10:00 UTC – 2026-11-19 14:15:00 UTC\nsucceeded: 50\nfailed: 25\ndead: 25"
            drawn.withClass("rl-hatch") shouldHaveSize 2
        }

        test("charts of nothing, zeros, one and huge counts are drawn inside their frame") {
            val cases = listOf(
                emptyList(),
                listOf(0L),
                List(24) { 0L },
                listOf(1L),
                listOf(0L, 1L, 0L),
                List(60) { Long.MAX_VALUE },
                listOf(1L, Long.MAX_VALUE),
                List(5_000) { it.toLong() },
            )
            for (counts in cases) {
                withClue(counts.take(5)) {
                    val drawn = DrawnSvg(ThroughputChart(bars(counts, counts, counts)).svg(plain))
                    insideBars(drawn)
                    texts(drawn).contains("Nothing ended in this period.") shouldBe counts.none { it > 0 }
                    insideBars(DrawnSvg(Sparkline("jobs", counts, Tone.SUCCEEDED).svg()))
                }
            }
            ThroughputChart(Bars(START, MINUTES_5, emptyList())).svg() shouldContain "Nothing ended"
        }

        test("a single failure beside many successes is seen") {
            val drawn = DrawnSvg(ThroughputChart(bars(listOf(1_000_000), listOf(1))).svg(plain))

            val failed = drawn.withClass("rl-bar").first { "rl-failed" in it.getAttribute("class") }
            failed.getAttribute("height").toDouble() shouldBeGreaterThan 1.9
        }

        test("more buckets than pixels are put together") {
            val drawn = DrawnSvg(ThroughputChart(bars(List(5_000) { 1 })).svg(PictureOptions.builder().width(300).build()))

            drawn.withClass("rl-hit").size shouldBeLessThanOrEqual 100
        }

        test("wrong input is refused with the reason") {
            fun refusal(call: () -> Any) = shouldThrow<IllegalArgumentException> { call() }.message

            refusal { bars(listOf(1), listOf(1, 2)) } shouldContain "same number"
            refusal { bars(listOf(-1)) } shouldContain "0 or more"
            refusal { Bars(START, Duration.ZERO, emptyList()) } shouldContain "more than zero"
            refusal { DurationCounts(listOf(MINUTES_5), listOf(1), emptyMap()) } shouldContain "one more bound"
            refusal { DurationCounts(listOf(MINUTES_5, MINUTES_5), listOf(1), emptyMap()) } shouldContain "ascend"
            refusal { PictureOptions.builder().width(3) } shouldContain "at least"
        }

        test("durations are counted in growing buckets, with percentiles") {
            val counted = DurationCounts.of((1..100).map { Duration.ofMillis(it * 10L) } + Duration.ofMillis(-5))

            counted.total shouldBe 101
            counted.bounds.first() shouldBe Duration.ZERO
            counted.percentiles.values.map { it.toMillis() } shouldContainExactly listOf(500L, 950, 990)
            counted.counts.sum() shouldBe 101
        }

        test("a histogram of any durations is drawn inside its frame") {
            val cases = listOf(
                emptyList(),
                listOf(Duration.ZERO),
                listOf(Duration.ofNanos(1)),
                listOf(Duration.ofDays(4_000)),
                List(1_000) { Duration.ofMillis(it * it.toLong()) },
                listOf(Duration.ZERO, Duration.ofDays(365)),
            )
            for (durations in cases) {
                withClue(durations.take(3)) {
                    val drawn = DrawnSvg(Histogram(DurationCounts.of(durations)).svg())
                    insideBars(drawn)
                    drawn.withClass("rl-mark") shouldHaveSize if (durations.isEmpty()) 0 else 3
                    texts(drawn).contains("No durations in this period.") shouldBe durations.isEmpty()
                }
            }
        }

        test("a percentile is in its place between the bounds of its bucket") {
            val bounds = listOf(1L, 10, 100).map(Duration::ofSeconds)
            val counts = DurationCounts(bounds, listOf(5, 5), mapOf("p50" to Duration.ofSeconds(10)))

            val drawn = DrawnSvg(Histogram(counts).svg(PictureOptions.builder().width(720).build()))
            val mark = drawn.withClass("rl-mark").single().getAttribute("d")

            // The middle of the plot, which is from 56 to 696.
            mark.removePrefix("M").substringBefore(' ').toDouble() shouldBe 376.0
        }

        test("the slots of a worker are shown, also if it holds more jobs than it has slots") {
            fun worker(busy: Int, held: Int) = Worker(
                UUID(5, 5), "w", emptySet(), listOf("a"), null, 8, busy, held, "1", null, "host", 1, START, START,
                WorkerState.entries.first(), false,
            )

            DrawnSvg(Gauge.of(worker(5, 2)).svg()).root.getAttribute("aria-label") shouldBe "slots: 5 busy · 2 held · of 8"
            val full = DrawnSvg(Gauge.of(worker(8, 40)).svg())
            insideBars(full)
            full.withClass("rl-mark") shouldHaveSize 1
            DrawnSvg(Gauge.of(worker(0, 0)).svg()).withClass("rl-bar") shouldHaveSize 0
            val huge = listOf(Gauge.Part("a", Tone.DEAD, Long.MAX_VALUE), Gauge.Part("b", Tone.FAILED, 1))
            insideBars(DrawnSvg(Gauge("x", huge, 1).svg()))
        }
    })
