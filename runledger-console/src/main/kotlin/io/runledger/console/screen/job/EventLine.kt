package io.runledger.console.screen.job

import io.runledger.console.content.inWords
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobEventType
import io.runledger.model.job.JobStage
import io.runledger.model.job.Progress
import java.time.Duration

/** An event of a job as a sentence, with its actor and reason, and the members of its payload that the sentence does not tell. */
internal class EventLine(val sentence: String, val actor: String?, val reason: String?, val others: Map<String, String>) {
    companion object {
        fun of(event: JobEvent, members: Map<String, String>): EventLine {
            val told = HashSet(HIDDEN)
            fun told(name: String): String? = members[name]?.also { told += name }
            val sentence = sentence(event, ::told)
            val actor = told("actor")
            val reason = told("reason")
            return EventLine(sentence, actor, reason, members - told)
        }

        private fun sentence(event: JobEvent, told: (String) -> String?): String = when (event.type()) {
            JobEventType.ENQUEUED -> enqueued(told)
            JobEventType.LEASED -> "Claimed by worker ${told("worker_id")}"
            JobEventType.HEARTBEAT -> "Lease renewed"
            JobEventType.STAGE_CHANGED -> stage(event.stage())
            JobEventType.PROGRESS -> progress(event.progress())
            JobEventType.RETRY_SCHEDULED -> retry(told)
            JobEventType.SUCCEEDED -> "Succeeded"
            JobEventType.FAILED -> "Failed" + failure(told) + message(told)
            JobEventType.DEAD_LETTERED -> "Became a dead letter" + failure(told)
            JobEventType.CANCELED -> "Canceled"
            JobEventType.REQUEUED -> "Returned to the queue"
            JobEventType.EDITED -> "Edited"
            JobEventType.TIMEOUT_IGNORED -> "The handler continued after its timeout"
        }

        private fun enqueued(told: (String) -> String?): String =
            told("replayed_from_job_id")?.let { "Enqueued as a replay of job $it" } ?: "Enqueued"

        private fun stage(stage: JobStage?): String = if (stage?.wire() == "running") "Started" else "Stage: ${stage?.wire()}"

        private fun progress(progress: Progress): String = "Progress: ${progress.done() ?: "?"} of ${progress.total() ?: "?"}"

        private fun retry(told: (String) -> String?): String {
            TIMES.forEach { told(it) }
            return "Retry" + delay(told("retry_delay_ms"))
        }

        private fun message(told: (String) -> String?): String = told("error_message")?.let { ": ${it.cut(LONGEST)}" }.orEmpty()

        private fun failure(told: (String) -> String?): String {
            told("kind")
            return told("error_code")?.let { " with $it" }.orEmpty()
        }

        private fun delay(millis: String?): String =
            millis?.toLongOrNull()?.let { " after ${Duration.ofMillis(it).inWords()}" } ?: " is planned"

        /** Members that repeat the row or name it for programs. */
        private val HIDDEN = setOf("job_type", "action", "lease_duration_seconds", "started_without_renewal_heartbeat")
        private val TIMES =
            listOf(
                "next_run_at",
                "effective_next_run_at",
                "retry_timing_source",
                "requested_retry_not_before",
                "requested_retry_at",
            )
        private const val LONGEST = 500
    }
}
