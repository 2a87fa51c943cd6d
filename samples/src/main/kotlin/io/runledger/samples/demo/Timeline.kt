package io.runledger.samples.demo

import io.runledger.exposed.RunledgerClient
import io.runledger.model.history.WorkflowStory
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** The run as bars over time, drawn from the data of the ledger. */
internal class Timeline(private val client: RunledgerClient, private val story: WorkflowStory) {
    private val begin = story.run().createdAt()
    private val length = Duration.between(begin, story.run().finishedAt()).toMillis().coerceAtLeast(1)

    fun lines(): List<String> = story.steps().mapNotNull { step ->
        val job = step.job()?.jobId()
        val opened = step.releasedAt()
        when {
            job != null -> attempts(step.stepKey(), job)
            step.gate() == null -> line(step.stepKey(), emptyList(), "not needed")
            opened == null -> null
            else -> line(step.stepKey(), listOf(Bar('░', opened, step.finishedAt() ?: opened)), "waited for a person")
        }
    }

    private fun attempts(step: String, job: UUID): String {
        val attempts = client.jobs.story(Scope.global(), job).attempts()
        return line(
            step,
            attempts.map { Bar(if (it.errorCode() == null) '█' else '▒', it.startedAt(), it.finishedAt()) },
            attempts.joinToString { it.workerId() + (it.errorCode()?.let { code -> " ✘ $code" } ?: " ✔") },
        )
    }

    private fun line(step: String, bars: List<Bar>, words: String): String {
        val places = CharArray(WIDTH) { ' ' }
        bars.forEach { places.fill(it.fill, place(it.begin), place(it.end) + 1) }
        return "  ${step.padEnd(KEY_WIDTH)} ${String(places)}  $words"
    }

    private fun place(instant: Instant): Int =
        (Duration.between(begin, instant).toMillis() * (WIDTH - 1) / length).toInt().coerceIn(0, WIDTH - 1)

    private class Bar(val fill: Char, val begin: Instant, val end: Instant)

    private companion object {
        const val KEY_WIDTH = 10
        const val WIDTH = 48
    }
}
