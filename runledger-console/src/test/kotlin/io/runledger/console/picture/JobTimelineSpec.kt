package io.runledger.console.picture

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Progress
import org.w3c.dom.Element

/** The titles of the bars of a row, then those of its marks. */
private fun spans(row: Element) = children(row).filter { it.tagName == "g" }.map { title(it).lines().first() }.distinct()

class JobTimelineSpec :
    FunSpec({
        test("each run is a row with its attempts, the waits between them and its events") {
            val story = jobStory(
                JobStatus.LEASED,
                listOf(
                    attempt(1, AttemptOutcome.RETRYABLE, 1, 3, error = "http_500"),
                    attempt(2, AttemptOutcome.TERMINAL, 10, 12, error = "declined"),
                    attempt(1, AttemptOutcome.INTERRUPTED, 30, 33, run = 2),
                ),
                listOf(
                    jobEvent(JobEventType.ENQUEUED, 0),
                    jobEvent(JobEventType.FAILED, 12),
                    jobEvent(JobEventType.DEAD_LETTERED, 12),
                    jobEvent(JobEventType.REQUEUED, 25, run = 2),
                    jobEvent(JobEventType.PROGRESS, 45, run = 2, progress = Progress(3, 9)),
                ),
                run = 2,
                runningSince = 40,
            )

            val rows = DrawnSvg(JobTimeline.of(story, at(60)).svg()).withClass("rl-row")

            rows.map(::title) shouldContainExactly listOf("run 1, 2 attempts, failed", "run 2, 2 attempts, running")
            spans(rows[0]) shouldContainExactly listOf(
                "waiting for attempt 1",
                "waiting for attempt 2",
                "attempt 1: failed after 2.0 s",
                "attempt 2: failed permanently after 2.0 s",
                "became a dead letter",
            )
            spans(rows[1]) shouldContainExactly listOf(
                "waiting for attempt 1",
                "waiting for attempt 2",
                "attempt 1: released after 3.0 s",
                "attempt 2: running for 20 s",
                "returned to the queue",
                "progress 3 of 9",
            )
        }

        test("every outcome has its own word and its own icon") {
            val looks = AttemptOutcome.entries.map { io.runledger.console.picture.look.OutcomeLook.of(it) }

            looks.map { it.word }.distinct() shouldHaveSize AttemptOutcome.entries.size
            looks.map { it.icon }.distinct() shouldHaveSize AttemptOutcome.entries.size
        }

        test("the legend names the outcomes") {
            val attempts = AttemptOutcome.entries.mapIndexed { place, outcome ->
                attempt(
                    place + 1,
                    outcome,
                    place * 2,
                    place * 2 + 1,
                )
            }

            val texts = DrawnSvg(JobTimeline.of(jobStory(JobStatus.PENDING, attempts), at(60)).svg()).named("text").map {
                it.textContent
            }

            texts shouldContainAll
                listOf(
                    "failed",
                    "failed permanently",
                    "panicked",
                    "timed out",
                    "lease expired",
                    "succeeded",
                    "canceled",
                    "released",
                )
        }

        test("a job that was never claimed waits until now, or until it was canceled") {
            spans(
                DrawnSvg(JobTimeline.of(jobStory(JobStatus.PENDING, emptyList()), at(60)).svg()).withClass("rl-row").single(),
            ) shouldContainExactly
                listOf("waiting for a worker")
            val canceled = jobStory(JobStatus.CANCELED, emptyList(), finished = 20)
            spans(DrawnSvg(JobTimeline.of(canceled, at(60)).svg()).withClass("rl-row").single()) shouldContainExactly
                listOf("waiting until it was canceled")
        }

        test("hostile texts do no harm, and a job with a thousand attempts has a picture") {
            HOSTILE.forEach { text ->
                val story =
                    jobStory(
                        JobStatus.PENDING,
                        listOf(attempt(1, AttemptOutcome.PANICKED, 0, 1, error = text)),
                        type = "type $text",
                    )
                DrawnSvg(
                    JobTimeline.of(story, at(9)).svg(PictureOptions.builder().standalone().build()),
                ).root.getAttribute("aria-label") shouldContain
                    "type"
            }
            val attempts = (1..1_000).map { attempt(it, AttemptOutcome.RETRYABLE, it * 3_600, it * 3_600 + 1) }
            val drawn = DrawnSvg(JobTimeline.of(jobStory(JobStatus.PENDING, attempts), at(3_700_000)).svg())
            drawn.named("rect").filter { it.hasAttribute("x") }.all {
                it.getAttribute("x").toDouble() +
                    it.getAttribute("width").toDouble() <=
                    drawn.width
            } shouldBe
                true
            drawn.titles("rl-row") shouldContain "run 1, 1000 attempts, enqueued"
        }
    })
