package io.runledger.console.picture

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.StepEventType
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import org.w3c.dom.Element
import kotlin.random.Random

private const val CHART_LEFT = 224.0
private const val CHART_RIGHT = 936.0

/** The bars of a row with their titles, as `title @ from-to` in seconds of a run of [seconds]. */
private fun bars(row: Element, seconds: Double): List<String> = children(row).filter { it.tagName == "g" }.mapNotNull { span ->
    val bar = children(span).firstOrNull { it.tagName == "rect" && it.hasAttribute("x") } ?: return@mapNotNull null
    val from = bar.getAttribute("x").toDouble()
    fun time(x: Double) = Math.round((x - CHART_LEFT) / (CHART_RIGHT - CHART_LEFT) * seconds)
    "${title(span)} @ ${time(from)}-${time(from + bar.getAttribute("width").toDouble())}"
}

class RunTimelineSpec :
    FunSpec({
        test("a step waits from its release to its start and runs to its end") {
            val story = StoryBuilder().apply {
                step("a", released = 0, started = 10, ended = 40)
                step("b", WorkflowStepStatus.RUNNING, released = 40, started = 60)
                step("c", WorkflowStepStatus.BLOCKED)
            }.build()

            val drawn = DrawnSvg(RunTimeline.of(story, at(100)).svg())

            drawn.titles("rl-row").map { it.substringBefore(',') } shouldContainExactly listOf("a", "b", "c")
            val (a, b, c) = drawn.withClass("rl-row")
            bars(a, 100.0) shouldContainExactly listOf("waiting for a worker @ 0-10", "succeeded, 30 s @ 10-40")
            bars(b, 100.0) shouldContainExactly listOf("waiting for a worker @ 40-60", "running, 40 s @ 60-100")
            bars(c, 100.0) shouldHaveSize 0
        }

        test("rows are in the order of their starts, and an ended run does not grow") {
            val story = StoryBuilder().apply {
                step("later", released = 50, started = 50, ended = 100)
                step("never", WorkflowStepStatus.CANCELED)
                step("first", released = 0, started = 0, ended = 50)
                status = WorkflowRunStatus.SUCCEEDED
                finished = 100
            }.build()

            val drawn = DrawnSvg(RunTimeline.of(story, at(1_000_000)).svg())

            drawn.titles("rl-row").map { it.substringBefore(',') } shouldContainExactly listOf("first", "later", "never")
            bars(drawn.withClass("rl-row")[1], 100.0) shouldContainExactly listOf("succeeded, 50 s @ 50-100")
            drawn.withClass("rl-now") shouldHaveSize 0
        }

        test("a retry of the run keeps the earlier round") {
            val story = StoryBuilder().apply {
                step("a", WorkflowStepStatus.RUNNING, released = 50, started = 60)
                listOf(
                    StepEventType.CREATED to 0,
                    StepEventType.RELEASED to 0,
                    StepEventType.STARTED to 10,
                    StepEventType.FAILED to 30,
                )
                    .forEach { (type, at) -> event("a", type, at) }
                event("a", StepEventType.RESET, 40)
                event("a", StepEventType.RELEASED, 50)
                event("a", StepEventType.STARTED, 60)
            }.build()

            val row = DrawnSvg(RunTimeline.of(story, at(100)).svg()).withClass("rl-row").single()

            // Waits are drawn below the other bars.
            bars(row, 100.0) shouldContainExactly listOf(
                "waiting for a worker @ 0-10",
                "waiting for a worker @ 50-60",
                "before the retry: failed after 20 s @ 10-30",
                "running, 40 s @ 60-100",
            )
            children(row).filter { it.tagName == "g" }.map(::title) shouldContain "reset by a retry of the run"
        }

        test("the attempts of a step are bars of their own") {
            val story = StoryBuilder().step("a", released = 0, started = 10, ended = 90).also {
                it.finished = 100
                it.status = WorkflowRunStatus.SUCCEEDED
            }.build()
            val attempts =
                listOf(attempt(1, AttemptOutcome.TIMEOUT, 10, 30, error = "late"), attempt(2, AttemptOutcome.SUCCEEDED, 70, 90))

            val row = DrawnSvg(
                RunTimeline.of(story, at(100), mapOf("a" to StepWork(2, 8, attempts = attempts))).svg(),
            ).withClass("rl-row").single()

            bars(row, 100.0).map { it.lines().first() to it.substringAfterLast(" @ ") } shouldContainExactly listOf(
                "waiting for attempt 1 @ 0-10" to "0-10",
                "waiting for attempt 2 @ 30-70" to "30-70",
                "attempt 1: timed out after 20 s" to "10-30",
                "attempt 2: succeeded after 20 s" to "70-90",
            )
        }

        test("a gate shows how long it was open, and a pause of the run is a band") {
            val story = StoryBuilder().apply {
                step("approval", WorkflowStepStatus.WAITING_FOR_EXTERNAL, gate = true, released = 20)
                paused(10, 30, "too <early>")
                paused(60, null)
            }.build()

            val drawn = DrawnSvg(RunTimeline.of(story, at(100)).svg())

            bars(drawn.withClass("rl-row").single(), 100.0) shouldContainExactly listOf("gate waiting, open for 1m 20s @ 20-100")
            drawn.withClass("rl-pause").filter {
                it.getAttribute("height").toDouble() > 16
            }.map { title(it.parentNode as Element) } shouldContainExactly
                listOf("paused for 20 s: too <early>", "paused")
            drawn.root.getAttribute("aria-label") shouldContain "paused"
        }

        test("every bar and mark is inside the chart, whatever the times are") {
            val random = Random(11)
            repeat(60) {
                val story = randomRun(random)
                val drawn =
                    DrawnSvg(
                        RunTimeline.of(story, at(random.nextInt(0, 30))).svg(PictureOptions.builder().withoutLegend().build()),
                    )
                for (bar in drawn.named("rect").filter { it.hasAttribute("x") }) {
                    withClue(bar.getAttribute("class")) {
                        val right = bar.getAttribute("x").toDouble() + bar.getAttribute("width").toDouble()
                        right shouldBeLessThanOrEqual drawn.width
                        (bar.getAttribute("x").toDouble() >= 0 && bar.getAttribute("width").toDouble() >= 0) shouldBe true
                        (bar.getAttribute("y").toDouble() + bar.getAttribute("height").toDouble()) shouldBeLessThanOrEqual
                            drawn.height
                    }
                }
            }
        }

        test("similar steps are one row, which expands") {
            val story = StoryBuilder().apply {
                step("charge", released = 0, started = 0, ended = 10)
                repeat(600) {
                    val status = if (it == 7) WorkflowStepStatus.FAILED else WorkflowStepStatus.SUCCEEDED
                    step(
                        "pick-$it",
                        status,
                        after = listOf("charge"),
                        released = 10,
                        started = 10 + it / 10,
                        ended = 20 + it / 10,
                    )
                }
            }.build()
            val timeline = RunTimeline.of(story, at(100))

            timeline.rows() shouldBe 2
            val group = DrawnSvg(timeline.svg()).withClass("rl-row").last()
            title(group) shouldBe "pick-*, group of 600 steps, 599 done, 1 failed"
            children(group).count { "rl-failed" in it.getAttribute("class") && it.getAttribute("d").contains("l6 6") } shouldBe 1

            val open = PictureOptions.builder().expanded(setOf("pick-0"))
            timeline.rows(open.build()) shouldBe 601
            val page = DrawnSvg(timeline.svg(open.rows(590, 100).build()))
            page.withClass("rl-row") shouldHaveSize 11
            page.named("desc").single().textContent shouldContain "Rows 591 to 601 of 601."
            DrawnSvg(timeline.svg(open.rows(1_000, 100).build())).named("text").map { it.textContent } shouldContain
                "There are only 601 rows."
        }

        test("pages of rows have the same axis") {
            val story = StoryBuilder().apply {
                repeat(5) {
                    step(
                        "s$it",
                        jobType = "t$it",
                        released = it * 10,
                        started = it * 10,
                        ended =
                        it * 10 + 10,
                    )
                }
            }.build()
            val timeline = RunTimeline.of(story, at(50))

            fun left(from: Int, limit: Int, row: Int) =
                DrawnSvg(timeline.svg(PictureOptions.builder().rows(from, limit).build())).withClass("rl-row")[row]
                    .let { bars(it, 50.0) }

            left(0, 5, 4) shouldBe left(4, 1, 0)
        }

        test("a run of no length and a run without steps have a picture") {
            val story = StoryBuilder().step("a", released = 0, started = 0, ended = 0).also {
                it.finished = 0
                it.status = WorkflowRunStatus.SUCCEEDED
            }.build()
            DrawnSvg(RunTimeline.of(story, START).svg()).withClass("rl-row") shouldHaveSize 1

            RunTimeline.of(StoryBuilder().build(), at(5)).svg() shouldContain "The run has no steps."
        }

        test("a narrow timeline keeps its bars inside") {
            val story = StoryBuilder().step("a", released = 0, started = 10, ended = 40).build()

            val drawn = DrawnSvg(RunTimeline.of(story, at(40)).svg(PictureOptions.builder().width(320).build()))

            drawn.width shouldBe 320.0
            val bar = children(drawn.withClass("rl-row").single()).filter { it.tagName == "g" }.last()
            children(bar).last().let { it.getAttribute("x").toDouble() + it.getAttribute("width").toDouble() } shouldBe
                (296.0 plusOrMinus 0.01)
        }
    })
