package io.runledger.samples.demo

import io.runledger.exposed.RunledgerClient
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.Attempt
import io.runledger.model.ledger.Scope
import io.runledger.model.run.WorkflowStep
import java.time.Duration
import java.time.Instant

/** The run as bars over time, drawn from the data of the ledger. */
internal class Timeline(private val client: RunledgerClient, private val story: WorkflowStory) {
    private val begin = story.run().createdAt()
    private val length = Duration.between(begin, story.run().finishedAt()).toMillis().coerceAtLeast(1)

    fun lines(): List<String> = story.steps().mapNotNull { step ->
        val job = step.job()?.jobId()
        when {
            job != null -> attempts(step, client.jobs.story(Scope.global(), job).attempts())
            step.gate() != null -> gate(step)
            else -> "  ${step.stepKey().padEnd(KEY_WIDTH)} ${" ".repeat(WIDTH)}  not needed"
        }
    }

    private fun attempts(step: WorkflowStep, attempts: List<Attempt>): String = line(
        step,
        attempts.map { Bar(if (it.isGood) '█' else '▒', it.startedAt(), it.finishedAt()) },
        attempts.joinToString { if (it.isGood) "${it.workerId()} ✔" else "${it.workerId()} ✘ ${it.errorCode()}" },
    )

    private fun gate(step: WorkflowStep): String? {
        val opened = step.releasedAt() ?: return null
        return line(step, listOf(Bar('░', opened, step.finishedAt() ?: opened)), "waited for a person")
    }

    private fun line(step: WorkflowStep, bars: List<Bar>, words: String): String {
        val places = CharArray(WIDTH) { ' ' }
        bars.forEach { places.fill(it.fill, place(it.begin), place(it.end) + 1) }
        return "  ${step.stepKey().padEnd(KEY_WIDTH)} ${String(places)}  $words"
    }

    private fun place(instant: Instant): Int =
        (Duration.between(begin, instant).toMillis() * (WIDTH - 1) / length).toInt().coerceIn(0, WIDTH - 1)

    private val Attempt.isGood get() = outcome() == AttemptOutcome.SUCCEEDED

    private class Bar(val fill: Char, val begin: Instant, val end: Instant)

    private companion object {
        const val KEY_WIDTH = 10
        const val WIDTH = 48
    }
}
