package io.runledger.console.picture.time

import io.runledger.console.picture.look.OutcomeLook
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.svg.shown
import io.runledger.model.job.Attempt
import java.time.Instant

/** The spans of ended attempts, and the waits between them. */
internal object AttemptSpans {
    /**
     * @param attempts attempts of one run of a job, in order
     * @param since the time at which the job began to wait for its first attempt, if it is known
     */
    fun of(attempts: List<Attempt>, since: Instant?): List<Span> {
        val spans = mutableListOf<Span>()
        var waited = since
        for (attempt in attempts) {
            waited?.let { wait(it, attempt.startedAt(), "waiting for attempt ${attempt.attempt()}") }?.let(spans::add)
            val outcome = OutcomeLook.of(attempt.outcome())
            spans += Span(
                attempt.startedAt(),
                attempt.finishedAt(),
                Span.Kind.RUN,
                outcome.look,
                title(attempt, outcome),
                outcome.hasFailed,
                outcome.icon,
            )
            waited = attempt.finishedAt()
        }
        return spans
    }

    fun wait(from: Instant, to: Instant, title: String): Span? =
        if (to.isAfter(from)) Span(from, to, Span.Kind.WAIT, StateLook.ENQUEUED.look, title) else null

    private fun title(attempt: Attempt, outcome: OutcomeLook): String = listOfNotNull(
        "attempt ${attempt.attempt()}: ${outcome.word} after ${shownDuration(attempt.duration())}",
        attempt.errorCode()?.let {
            shown(it) +
                attempt.errorMessage()?.let { text -> ": " + shown(text.take(MOST_TEXT)) }.orEmpty()
        },
        "worker ${shown(attempt.workerId())}",
        attempt.retryDelay()?.let { "retry after ${shownDuration(it)}" },
    ).joinToString("\n")

    private const val MOST_TEXT = 300
}
