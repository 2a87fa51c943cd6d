package io.runledger.console.picture.time

import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.svg.Icon
import io.runledger.model.history.StepEvent
import io.runledger.model.history.StepEventType
import io.runledger.model.job.Attempt
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.time.Instant

/**
 * The track of a step: its present round from the step itself, with the attempts of its job if they are known, and the rounds
 * before a retry of the run from the events.
 *
 * @param known ended attempts of the job, or empty
 */
internal class StepTrack(
    private val step: WorkflowStep,
    events: List<StepEvent>,
    private val known: List<Attempt>,
    private val now: Instant,
) {
    private val look = StateLook.of(step.status())
    private val spans = mutableListOf<Span>()
    private val marks = mutableListOf<Mark>()

    val track: Track

    init {
        earlierRounds(events)
        if (step.kind() == StepKind.EXTERNAL) gate() else job()
        if (spans.none { it.to == step.finishedAt() }) {
            step.finishedAt()?.let { marks += Mark(it, look.icon, look.look, look.word) }
        }
        track = Track(spans.filterNot { it.to.isBefore(it.from) }, marks)
    }

    private fun gate() {
        val opened = step.releasedAt() ?: return
        spans += Span(opened, step.finishedAt() ?: now, Span.Kind.OPEN, look.look, "gate ${look.word}, open for ${since(opened)}")
    }

    private fun job() {
        val released = step.releasedAt()
        val attempts = known.filter { released == null || !it.finishedAt().isBefore(released) }
        if (attempts.isNotEmpty()) {
            spans += AttemptSpans.of(attempts, released)
            val last = attempts.last()
            if (!step.isTerminal) {
                continues(last.finishedAt(), last.nextRunAt() ?: last.finishedAt())
            }
            return
        }
        val started = step.startedAt()
        released?.let { AttemptSpans.wait(it, started ?: end(), "waiting for a worker") }?.let(spans::add)
        when {
            started == null -> Unit

            step.status() == WorkflowStepStatus.ENQUEUED ->
                spans += Span(started, now, Span.Kind.WAIT, look.look, "started, and waits for its next attempt")

            else -> spans += run(started, end())
        }
    }

    /** The attempt that runs, or the wait for the next one. */
    private fun continues(ended: Instant, due: Instant) {
        val isRunning = step.status() == WorkflowStepStatus.RUNNING
        val from = if (isRunning && due.isBefore(now)) due else now
        AttemptSpans.wait(ended, from, "waiting for the next attempt")?.let(spans::add)
        if (isRunning) {
            spans += run(from, now)
        }
    }

    private fun run(from: Instant, to: Instant) = Span(
        from,
        to,
        Span.Kind.RUN,
        look.look,
        "${look.word}, ${shownDuration(Duration.between(from, to))}",
        look == StateLook.FAILED,
    )

    private fun earlierRounds(events: List<StepEvent>) {
        var released: Instant? = null
        var started: Instant? = null
        val lastReset = events.indexOfLast { it.type() == StepEventType.RESET }
        for (event in events.take(lastReset + 1)) {
            val at = event.occurredAt()
            when (event.type()) {
                StepEventType.RELEASED, StepEventType.OPENED -> released = at

                StepEventType.STARTED -> started = at

                StepEventType.RESET -> {
                    marks += Mark(at, Icon.RETRY, "rl-muted", "reset by a retry of the run")
                    released = null
                    started = null
                }

                StepEventType.SUCCEEDED, StepEventType.FAILED, StepEventType.CANCELED, StepEventType.SKIPPED ->
                    earlierRound(released, started, at, StateLook.of(WorkflowStepStatus.valueOf(event.type().name)))

                else -> Unit
            }
        }
    }

    private fun earlierRound(released: Instant?, started: Instant?, ended: Instant, outcome: StateLook) {
        val isGate = step.kind() == StepKind.EXTERNAL
        val from = if (isGate) released else started
        if (!isGate && released != null) {
            AttemptSpans.wait(released, started ?: ended, "waiting for a worker")?.let(spans::add)
        }
        if (from == null) {
            marks += Mark(ended, outcome.icon, outcome.look, outcome.word)
        } else {
            val kind = if (isGate) Span.Kind.OPEN else Span.Kind.RUN
            val title = "before the retry: ${outcome.word} after ${shownDuration(Duration.between(from, ended))}"
            spans += Span(from, ended, kind, outcome.look, title, outcome == StateLook.FAILED)
        }
    }

    private fun end(): Instant = step.finishedAt() ?: now

    private fun since(from: Instant) = shownDuration(Duration.between(from, end()))
}
