package io.runledger.console.picture

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Progress
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.io.File
import java.time.Duration
import kotlin.math.exp
import kotlin.random.Random

/** An order in progress: a gate, a fan-out, a failure and its repair. */
internal fun order(): WorkflowStory = StoryBuilder().apply {
    step("charge", jobType = "orders.charge", released = 0, started = 1, ended = 4)
    step(
        "approval",
        WorkflowStepStatus.SUCCEEDED,
        gate = true,
        after = listOf("charge"),
        released = 4,
        ended = 90,
        deadline = 400,
    )
    repeat(100) {
        val status = if (it <
            60
        ) {
            WorkflowStepStatus.SUCCEEDED
        } else if (it < 66) {
            WorkflowStepStatus.RUNNING
        } else {
            WorkflowStepStatus.ENQUEUED
        }
        val started = 92 + it * 1.5
        step(
            "pick-${it + 1}",
            if (it == 40) {
                WorkflowStepStatus.FAILED
            } else {
                status
            },
            "orders.pick",
            after = listOf("approval"),
            released = 90,
            started = started.takeIf { _ -> it < 66 },
            ended = (started + 6 + it % 7).takeIf { _ -> it < 60 },
        )
    }
    step("label", WorkflowStepStatus.RUNNING, "orders.label", after = listOf("approval"), released = 90, started = 120)
    step("ship", WorkflowStepStatus.BLOCKED, "orders.ship", after = (1..100).map { "pick-$it" } + "label")
    step("customs papers שלום", WorkflowStepStatus.SKIPPED, "orders.customs", after = listOf("charge"), ended = 5)
    step(
        "refund",
        WorkflowStepStatus.CANCELED,
        "orders.refund",
        after = listOf("approval"),
        mode = ReleaseMode.ON_FAILURE,
        ended = 91,
    )
    wait("customs papers שלום", "ship", ReleaseMode.ON_TERMINAL)
    step("delivered", WorkflowStepStatus.BLOCKED, gate = true, after = listOf("ship"))
    step(
        "close-the-order-with-a-very-long-name-17",
        WorkflowStepStatus.BLOCKED,
        "orders.close",
        after = listOf("ship"),
        mode = ReleaseMode.ON_TERMINAL,
    )
    wait("delivered", "close-the-order-with-a-very-long-name-17", ReleaseMode.ON_TERMINAL)
    paused(60, 80, "stock-taking")
    result = "ship"
}.build()

private fun report(): WorkflowStory = StoryBuilder("reports.daily").apply {
    val ended = WorkflowStepStatus.SUCCEEDED
    listOf("north", "south", "east").forEachIndexed { place, it ->
        step(
            "crawl-$it",
            ended,
            "crawl",
            released = 0,
            started = 0.2,
            ended =
            1.4 + place,
        )
    }
    step("crawl-west", WorkflowStepStatus.FAILED, "crawl", released = 0, started = 0.3, ended = 8.0, error = "timeout")
    step(
        "merge",
        ended,
        "merge",
        after = listOf("crawl-north", "crawl-south", "crawl-east", "crawl-west"),
        mode = ReleaseMode.ON_TERMINAL,
        released = 8,
        started = 8.1,
        ended = 9.4,
    )
    step(
        "alarm",
        ended,
        "alarm",
        after = listOf("crawl-west"),
        mode = ReleaseMode.ON_FAILURE,
        released = 8,
        started = 8.05,
        ended = 8.2,
    )
    step("publish", WorkflowStepStatus.CANCELED, "publish", after = listOf("merge", "crawl-west"), ended = 9.4)
    status = WorkflowRunStatus.COMPLETED_WITH_ERRORS
    finished = 9.4
}.build()

private fun wide(steps: Int): WorkflowStory = StoryBuilder("nightly").apply {
    val random = Random(1)
    repeat(steps) { place ->
        val after = if (place <
            5
        ) {
            emptyList()
        } else {
            List(1 + random.nextInt(2)) { maxOf(0, place - 1 - random.nextInt(30)) }.distinct().map { "s$it" }
        }
        step(
            "s$place",
            WorkflowStepStatus.entries[place % 8],
            "t$place",
            after = after,
            released = place / 4,
            started =
            place / 4 + 1,
            ended = place / 4 + 5,
        )
    }
}.build()

/** Draws samples into `target/pictures`, to look at them after a change. */
class GallerySpec :
    FunSpec({
        val folder = File("target/pictures").apply { mkdirs() }
        val random = Random(9)
        val work = mapOf(
            "label" to
                StepWork(
                    3,
                    8,
                    Progress(40, 100),
                    listOf(attempt(1, AttemptOutcome.TIMEOUT, 120, 140), attempt(2, AttemptOutcome.RETRYABLE, 150, 160)),
                ),
        )
        val minutes = 144
        val bars = Bars(
            START,
            Duration.ofMinutes(10),
            listOf(
                BarSeries(
                    "succeeded",
                    Tone.SUCCEEDED,
                    List(minutes) {
                        800 + (it * 37 % 400).toLong() + if (it >
                            60
                        ) {
                            600
                        } else {
                            0
                        }
                    },
                ),
                BarSeries("failed", Tone.FAILED, List(minutes) { if (it in 70..90) 250L - it else 12L }),
                BarSeries("dead", Tone.DEAD, List(minutes) { if (it in 75..85) 90L else 0L }),
            ),
        )
        val few = Bars(START, Duration.ofHours(1), bars.series.map { it.copy(counts = it.counts.take(24)) })
        val durations = List(5_000) { Duration.ofMillis((80 * exp(random.nextDouble() * 3 + random.nextDouble() * 2)).toLong()) }
        val attempts = listOf(
            attempt(1, AttemptOutcome.RETRYABLE, 2, 40, error = "http_500"),
            attempt(2, AttemptOutcome.TIMEOUT, 70, 200),
            attempt(3, AttemptOutcome.LEASE_EXPIRED, 300, 420),
            attempt(4, AttemptOutcome.TERMINAL, 460, 470),
            attempt(1, AttemptOutcome.INTERRUPTED, 700, 760, run = 2),
        )
        val events = listOf(
            jobEvent(JobEventType.PROGRESS, 100),
            jobEvent(JobEventType.TIMEOUT_IGNORED, 210),
            jobEvent(JobEventType.DEAD_LETTERED, 470),
            jobEvent(JobEventType.EDITED, 600),
            jobEvent(JobEventType.REQUEUED, 640, run = 2),
            jobEvent(JobEventType.PROGRESS, 820, run = 2),
        )
        val job = jobStory(JobStatus.LEASED, attempts, events, run = 2, runningSince = 800)

        val pictures: Map<String, (PictureOptions.Builder) -> String> = mapOf(
            "graph" to { RunGraph.of(order(), at(240), work).svg(it.build()) },
            "graph-expanded" to
                { RunGraph.of(order(), at(240), work).svg(it.expanded(setOf("pick-1")).groupHref { "?" }.build()) },
            "graph-report" to { RunGraph.of(report(), at(240)).svg(it.build()) },
            "graph-600" to { RunGraph.of(wide(600)).svg(it.build()) },
            "timeline" to { RunTimeline.of(order(), at(240), work).svg(it.build()) },
            "timeline-report" to { RunTimeline.of(report(), at(240)).svg(it.build()) },
            "timeline-100" to { RunTimeline.of(wide(100), at(60)).svg(it.build()) },
            "job" to { JobTimeline.of(job, at(900)).svg(it.build()) },
            "throughput" to { ThroughputChart(bars).svg(it.build()) },
            "throughput-few" to { ThroughputChart(few).svg(it.build()) },
            "throughput-empty" to
                {
                    ThroughputChart(
                        Bars(
                            START,
                            Duration.ofHours(1),
                            listOf(
                                BarSeries(
                                    "succeeded",
                                    Tone.SUCCEEDED,
                                    List(24) {
                                        0L
                                    },
                                ),
                            ),
                        ),
                    ).svg(it.build())
                },
            "histogram" to { Histogram(DurationCounts.of(durations)).svg(it.build()) },
            "sparkline" to { Sparkline("succeeded", List(24) { 20L + it * 13 % 30 }, Tone.SUCCEEDED).svg(it.build()) },
            "gauge" to
                {
                    Gauge(
                        "slots",
                        listOf(Gauge.Part("busy", Tone.RUNNING, 5), Gauge.Part("held", Tone.WAITING, 2)),
                        8,
                    ).svg(it.build())
                },
        )
        for ((name, draw) in pictures) {
            test("$name is a picture in light, dark and for pages") {
                for (theme in PictureTheme.entries) {
                    val svg = draw(PictureOptions.builder().standalone(theme))

                    File(folder, "$name-${theme.name.lowercase()}.svg").writeText(svg)
                    DrawnSvg(svg).height shouldBeGreaterThan 0.0
                }
            }
        }
    })
