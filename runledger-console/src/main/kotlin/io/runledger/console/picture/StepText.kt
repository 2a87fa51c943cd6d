package io.runledger.console.picture

import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.scale.shownTime
import io.runledger.console.picture.svg.shown
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import java.time.Duration
import java.time.Instant
import java.time.ZoneId

/** What a picture says about a step. */
internal class StepText(
    private val step: WorkflowStep,
    private val work: StepWork?,
    private val now: Instant?,
    private val isResult: Boolean,
) {
    val name: String = shown(step.stepKey())
    val look: StateLook = StateLook.of(step.status())
    val isGate: Boolean = step.kind() == StepKind.EXTERNAL

    /** For example `2/8`; null before the second attempt. */
    val attempt: String? = work?.takeIf { it.attempt > 1 }?.let { "${it.attempt}/${it.maxAttempts}" }

    /** Done share of the work, if it is known and the step has not ended. */
    val progress: Double? = work?.progress?.percent()?.takeIf { !step.isTerminal }?.let { it.toDouble() / 100 }

    /** State and duration: `running · 2m 3s`. */
    val standing: String = listOfNotNull(look.word, duration()?.let(::shownDuration)).joinToString(" · ")

    private val kind: String = when {
        isGate -> "gate"
        step.job()?.jobType() in setOf(null, step.stepKey()) -> "job"
        else -> "job ${shown(checkNotNull(step.job()).jobType())}"
    }

    /** One sentence for assistive technology. */
    val sentence: String = listOfNotNull(
        name,
        kind,
        look.word,
        duration()?.let(::shownDuration),
        work?.takeIf { attempt != null }?.let { "attempt ${it.attempt} of ${it.maxAttempts}" },
        work?.progress?.percent()?.let { "${it.toBigInteger()} percent" },
        "result of the run".takeIf { isResult },
    ).joinToString(", ")

    fun tooltip(zone: ZoneId): String = listOfNotNull(
        sentence,
        step.condition()?.let { "if ${shown(it.toString())}" },
        step.releasedAt()?.let { (if (isGate) "opened " else "released ") + shownTime(it, zone) },
        step.startedAt()?.let { "started ${shownTime(it, zone)}" },
        step.finishedAt()?.let { "ended ${shownTime(it, zone)}" },
        step.gate()?.expiresAt()?.let { "deadline ${shownTime(it, zone)}" },
        step.statusReason()?.let { "reason: ${shown(it.take(MOST_TEXT))}" },
        step.lastErrorCode()?.let { "error ${shown(it)}: ${shown(step.lastErrorMessage().orEmpty().take(MOST_TEXT))}" },
    ).joinToString("\n")

    /** The time that the step has run, or, if it has not started, the time that it has waited since its release. */
    private fun duration(): Duration? {
        val from = step.startedAt() ?: step.releasedAt() ?: return null
        val to = step.finishedAt() ?: now.takeIf { !step.isTerminal } ?: return null
        return Duration.between(from, to)
    }

    private companion object {
        const val MOST_TEXT = 300
    }
}
