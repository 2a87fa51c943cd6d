package io.runledger.console.picture.time

import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.svg.Icon
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobEventType
import io.runledger.model.job.Progress

/** The marks for events of a job. Events that follow from attempts have none. */
internal object JobMarks {
    private val words = mapOf(
        Icon.STAR to "progress or stage",
        Icon.RETRY to "requeued, continued or released",
        Icon.SLASH to "canceled",
        Icon.SKULL to "dead letter",
        Icon.DIAMOND to "edited",
        Icon.HOURGLASS to "timeout ignored",
    )

    fun of(event: JobEvent): Mark? = when (event.type()) {
        JobEventType.PROGRESS -> Mark(event.occurredAt(), Icon.STAR, "rl-muted", "progress${counts(event.progress())}")

        JobEventType.STAGE_CHANGED -> Mark(event.occurredAt(), Icon.STAR, "rl-muted", "stage ${event.stage()?.wire()}")

        JobEventType.REQUEUED -> Mark(event.occurredAt(), Icon.RETRY, "rl-muted", "returned to the queue")

        JobEventType.CANCELED -> Mark(event.occurredAt(), Icon.SLASH, StateLook.CANCELED.look, "canceled")

        JobEventType.DEAD_LETTERED -> Mark(event.occurredAt(), Icon.SKULL, StateLook.FAILED.look, "became a dead letter")

        JobEventType.EDITED -> Mark(event.occurredAt(), Icon.DIAMOND, "rl-muted", "edited by an operator")

        JobEventType.TIMEOUT_IGNORED ->
            Mark(event.occurredAt(), Icon.HOURGLASS, StateLook.WAITING.look, "ignored its timeout")

        JobEventType.ENQUEUED,
        JobEventType.LEASED,
        JobEventType.HEARTBEAT,
        JobEventType.RETRY_SCHEDULED,
        JobEventType.SUCCEEDED,
        JobEventType.FAILED,
        -> null
    }

    fun legend(icons: Set<Icon>): List<Legend.Item> =
        words.filterKeys { it in icons }.map { (icon, words) -> Legend.icon(icon, "rl-muted", words) }

    private fun counts(progress: Progress): String {
        val done = progress.done() ?: return ""
        return " $done" + progress.total()?.let { " of $it" }.orEmpty()
    }
}
