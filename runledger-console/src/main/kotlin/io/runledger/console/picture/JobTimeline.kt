package io.runledger.console.picture

import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.look.OutcomeLook
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.scale.shownTime
import io.runledger.console.picture.svg.shown
import io.runledger.console.picture.time.AttemptSpans
import io.runledger.console.picture.time.BarsBody
import io.runledger.console.picture.time.Gantt
import io.runledger.console.picture.time.GanttRow
import io.runledger.console.picture.time.JobMarks
import io.runledger.console.picture.time.Span
import io.runledger.console.picture.time.Track
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobStory
import io.runledger.model.job.Attempt
import io.runledger.model.job.JobStatus
import java.time.Duration
import java.time.Instant
import kotlin.math.ceil

/**
 * A picture of a job over time: a row for each of its runs, with a bar for each attempt, the waits between them, and marks for
 * what else was recorded, such as progress and edits.
 */
public class JobTimeline private constructor(private val story: JobStory, private val now: Instant) {
    private val job = story.job()
    private val runs: List<JobRun> = runs()

    /** The number of rows, for pages of rows. */
    public fun rows(): Int = runs.size

    /** Draws the timeline as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val width = (options.width ?: WIDTH).toDouble()
        val start = (runs.mapNotNull { it.track.start } + job.createdAt()).min()
        val end = (runs.mapNotNull { it.track.end } + (job.finishedAt() ?: now)).max()
        val rows = runs.drop(options.firstRow).take(options.rowLimit).map(::row)
        val gantt = Gantt(rows, emptyList(), width, ROW)
        val legend = Legend(if (options.legend) legendItems() else emptyList(), width - 2 * MARGIN)
        val frame = Frame(
            "rl-timeline",
            "${shown(job.jobType())} job, ${job.status().wire().lowercase().replace('_', ' ')}, timeline",
            "${story.attempts().size} ended attempts in ${runs.size} runs. From ${shownTime(start, options.zone)}, " +
                "${shownDuration(Duration.between(start, end))}.",
            width,
            ceil(gantt.height + legend.height),
        )
        return frame.draw(options) {
            gantt.draw(this, gantt.scale(start, end), options.zone, now.takeIf { !job.isTerminal })
            legend.draw(this, MARGIN, gantt.height)
        }
    }

    private fun row(run: JobRun): GanttRow {
        val attempts = "${run.attempts} ${if (run.attempts == 1) "attempt" else "attempts"}"
        val sentence = "run ${run.number}, $attempts, ${run.look.word}"
        return GanttRow(
            "run ${run.number} · $attempts",
            run.look,
            null,
            sentence,
            sentence,
            run.look.word,
            BarsBody(run.track, hasMarksAbove = true),
        )
    }

    private fun runs(): List<JobRun> {
        val attempts = story.attempts().groupBy { it.runNumber() }
        val events = story.events().groupBy { it.runNumber() }
        return (attempts.keys + job.runNumber()).sorted().map { run(it, attempts[it].orEmpty(), events[it].orEmpty()) }
    }

    private fun run(number: Int, attempts: List<Attempt>, events: List<JobEvent>): JobRun {
        val isCurrent = number == job.runNumber()
        val start = if (number == 1) job.createdAt() else events.firstOrNull()?.occurredAt()
        val spans = AttemptSpans.of(attempts, start).toMutableList()
        var count = attempts.size
        if (isCurrent) {
            val since = attempts.lastOrNull()?.finishedAt() ?: start ?: job.nextRunAt()
            spans += currentSpans(since)
            count += if (job.openAttempt() == null) 0 else 1
        }
        val look = if (isCurrent) lookOf(job.status()) else earlierLook(attempts)
        return JobRun(number, count, look, Track(spans.filterNot { it.to.isBefore(it.from) }, events.mapNotNull(JobMarks::of)))
    }

    /** The attempt that runs, or the wait for the next one. */
    private fun currentSpans(since: Instant): List<Span> {
        val open = job.openAttempt()
        if (open == null) {
            val end = if (job.isTerminal) job.finishedAt() else now
            val title = if (job.status() == JobStatus.PENDING) {
                "waiting for a worker"
            } else {
                "waiting until it was ${lookOf(job.status()).word}"
            }
            return listOfNotNull(end?.let { AttemptSpans.wait(since, it, title) })
        }
        val started = open.executionStartedAt() ?: open.leasedAt()
        val worker = shown(open.lease().workerId())
        val running = shownDuration(Duration.between(started, now))
        val title = "attempt ${open.lease().attempt()}: running for $running\nworker $worker"
        val span = Span(started, maxOf(now, started), Span.Kind.RUN, StateLook.RUNNING.look, title)
        return listOfNotNull(AttemptSpans.wait(since, started, "waiting for attempt ${open.lease().attempt()}"), span)
    }

    private fun earlierLook(attempts: List<Attempt>): StateLook = when {
        attempts.lastOrNull()?.let { OutcomeLook.of(it.outcome()).hasFailed } == true -> StateLook.FAILED
        attempts.lastOrNull()?.outcome() == AttemptOutcome.CANCELED -> StateLook.CANCELED
        else -> StateLook.SUCCEEDED
    }

    private fun lookOf(status: JobStatus): StateLook = when (status) {
        JobStatus.PENDING -> StateLook.ENQUEUED
        JobStatus.LEASED -> StateLook.RUNNING
        JobStatus.SUCCEEDED -> StateLook.SUCCEEDED
        JobStatus.DEAD_LETTERED -> StateLook.FAILED
        JobStatus.CANCELED -> StateLook.CANCELED
    }

    private fun legendItems(): List<Legend.Item> {
        val outcomes = story.attempts().map { OutcomeLook.of(it.outcome()) }.distinctBy { it.word }
        val marks = runs.flatMap { it.track.marks }.map { it.icon }.toSet()
        return outcomes.map { Legend.icon(it.icon, it.look, it.word) } +
            listOfNotNull(Legend.bar("running", StateLook.RUNNING.look).takeIf { job.openAttempt() != null }) +
            JobMarks.legend(marks)
    }

    private class JobRun(val number: Int, val attempts: Int, val look: StateLook, val track: Track)

    public companion object {
        private const val WIDTH = 960
        private const val MARGIN = 16.0
        private const val ROW = 40.0

        /** @param now the time until which a job that has not ended is shown */
        @JvmStatic
        public fun of(story: JobStory, now: Instant): JobTimeline = JobTimeline(story, now)
    }
}
