package io.runledger.console.picture

import io.runledger.console.picture.graph.GraphView
import io.runledger.console.picture.graph.RunShape
import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.scale.shownTime
import io.runledger.console.picture.svg.safeAddress
import io.runledger.console.picture.svg.shown
import io.runledger.console.picture.time.Band
import io.runledger.console.picture.time.BarsBody
import io.runledger.console.picture.time.Gantt
import io.runledger.console.picture.time.GanttRow
import io.runledger.console.picture.time.ProfileBody
import io.runledger.console.picture.time.StepTrack
import io.runledger.console.picture.time.TimelineLegend
import io.runledger.console.picture.time.Track
import io.runledger.model.history.RunEventType
import io.runledger.model.history.WorkflowStory
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.time.Instant
import kotlin.math.ceil

/**
 * A picture of a run over time: a row for each step in the order of their starts, with its wait, its run and its retries.
 * Pauses of the run are bands. Similar steps are one row if there are many of them, with the number of steps that ran at each
 * time.
 */
public class RunTimeline private constructor(
    private val story: WorkflowStory,
    private val now: Instant,
    private val work: Map<String, StepWork>,
) {
    private val shape = RunShape.of(story)
    private val steps = RunShape.stepsOf(story)
    private val tracks: List<Track>

    init {
        val events = story.events().groupBy { it.stepId() }
        tracks = steps.map { StepTrack(it, events[it.id()].orEmpty(), work[it.stepKey()]?.attempts.orEmpty(), now).track }
    }

    /** The number of rows with these options, for pages of rows. */
    @JvmOverloads
    public fun rows(options: PictureOptions = PictureOptions.DEFAULT): Int = boxes(options).size

    /** Draws the timeline as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val all = boxes(options)
        val shownRows = all.drop(options.firstRow).take(options.rowLimit).map { row(it, options) }
        val width = (options.width ?: WIDTH).toDouble()
        val start = (tracks.mapNotNull { it.start } + story.run().startedAt()).min()
        val end = (tracks.mapNotNull { it.end } + (story.run().finishedAt() ?: now)).max()
        val gantt = Gantt(shownRows, bands(end), width)
        val legend = Legend(legendItems(options, shownRows), width - 2 * MARGIN)
        val last = options.firstRow + shownRows.size
        val part = if (shownRows.size < all.size) " Rows ${options.firstRow + 1} to $last of ${all.size}." else ""
        val time = "From ${shownTime(start, options.zone)}, ${shownDuration(Duration.between(start, end))}."
        val frame = Frame(
            "rl-timeline",
            RunText.title(story.run()) + ", timeline",
            "${RunText.description(RunText.counts(steps))} $time$part",
            width,
            ceil(gantt.height + legend.height),
            hasLinks = shownRows.any { it.href != null },
        )
        return frame.draw(options) {
            gantt.draw(this, gantt.scale(start, end), options.zone, now.takeIf { !story.run().isTerminal })
            if (shownRows.isEmpty()) {
                val text = if (all.isEmpty()) "The run has no steps." else "There are only ${all.size} rows."
                label(text, MARGIN, 48.0, "class" to Look.LABEL)
            }
            legend.draw(this, MARGIN, gantt.height)
        }
    }

    /** Rows by their starts; what has not begun is last, in the order of declaration. */
    private fun boxes(options: PictureOptions): List<GraphView.Box> {
        fun start(box: GraphView.Box): Instant? = box.members.mapNotNull { tracks[it].start }.minOrNull()
        return GraphView.of(shape, options.groupsOver, options.expanded).boxes.sortedWith(compareBy(nullsLast(), ::start))
    }

    private fun row(box: GraphView.Box, options: PictureOptions): GanttRow {
        if (box.group != null) {
            return groupRow(box.group, box.members, options)
        }
        val step = steps[box.members.single()]
        val text = StepText(step, work[step.stepKey()], now, step.stepKey() == story.run().resultStepKey())
        return GanttRow(
            text.name,
            text.look,
            safeAddress(options.stepHref.apply(step.stepKey())),
            text.sentence,
            text.tooltip(options.zone),
            note(step, text),
            BarsBody(tracks[box.members.single()]),
        )
    }

    private fun groupRow(group: GraphView.Group, members: List<Int>, options: PictureOptions): GanttRow {
        val counts = RunText.counts(members.map { steps[it] })
        val sentence = GroupCard(shown(group.name), counts).sentence
        val look = StateLook.ofAll(counts.keys)
        // Failed steps have their own signs; the area shows how many steps ran.
        val area = when {
            look != StateLook.FAILED -> look
            StateLook.RUNNING in counts -> StateLook.RUNNING
            else -> StateLook.SUCCEEDED
        }
        return GanttRow(
            "${shown(group.name)} (${members.size})",
            look,
            safeAddress(options.groupHref.apply(group.id)),
            "$sentence, show the steps",
            sentence,
            StateLook.counted(counts),
            ProfileBody(members.map { tracks[it] }, area),
        )
    }

    private fun note(step: WorkflowStep, text: StepText): String = when (step.status()) {
        WorkflowStepStatus.SUCCEEDED, WorkflowStepStatus.RUNNING -> text.standing.substringAfter(" · ", text.look.word)
        else -> text.standing
    }

    private fun bands(end: Instant): List<Band> {
        val bands = mutableListOf<Band>()
        var paused: Instant? = null
        var reason = ""
        for (event in story.runEvents()) {
            if (event.type() == RunEventType.PAUSED) {
                paused = event.occurredAt()
                reason = event.reason()?.let { ": ${shown(it)}" }.orEmpty()
            } else {
                paused?.let {
                    val duration = shownDuration(Duration.between(it, event.occurredAt()))
                    bands += Band(it, event.occurredAt(), "paused for $duration$reason")
                }
                paused = null
            }
        }
        (paused ?: story.run().pausedAt())?.let { bands += Band(it, end, "paused$reason") }
        return bands
    }

    private fun legendItems(options: PictureOptions, rows: List<GanttRow>): List<Legend.Item> {
        if (!options.legend || rows.isEmpty()) {
            return emptyList()
        }
        val used = rows.mapTo(HashSet()) { it.head }
        val states = StateLook.entries.filter { it in used }.map(Legend::state)
        return states + TimelineLegend.items(tracks, story.runEvents().isNotEmpty())
    }

    public companion object {
        private const val WIDTH = 960
        private const val MARGIN = 16.0

        /**
         * @param now the time until which a run that has not ended is shown
         * @param work what the jobs of steps say, by step key; with the attempts of a job, each attempt is a bar
         * @throws IllegalArgumentException if a dependency names a step that is not in the story
         */
        @JvmStatic
        @JvmOverloads
        public fun of(story: WorkflowStory, now: Instant, work: Map<String, StepWork> = emptyMap()): RunTimeline =
            RunTimeline(story, now, work.toMap())
    }
}
