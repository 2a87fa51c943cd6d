package io.runledger.console.screen.job

import io.runledger.console.content.inWords
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobEventType
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
            JobEventType.ENQUEUED -> told("replayed_from_job_id")?.let { "Enqueued as a replay of job $it" } ?: "Enqueued"
            JobEventType.LEASED -> "Claimed by worker ${told("worker_id")}"
            JobEventType.HEARTBEAT -> "Lease renewed"
            JobEventType.STAGE_CHANGED -> if (event.stage()?.wire() == "running") "Started" else "Stage: ${event.stage()?.wire()}"
            JobEventType.PROGRESS -> "Progress: ${event.progress().done() ?: "?"} of ${event.progress().total() ?: "?"}"
            JobEventType.RETRY_SCHEDULED -> "Retry" + delay(told("retry_delay_ms")).also { TIMES.forEach { name -> told(name) } }
            JobEventType.SUCCEEDED -> "Succeeded"
            JobEventType.FAILED -> "Failed" + failure(told) + told("error_message")?.let { ": ${it.cut(LONGEST)}" }.orEmpty()
            JobEventType.DEAD_LETTERED -> "Became a dead letter" + failure(told)
            JobEventType.CANCELED -> "Canceled"
            JobEventType.REQUEUED -> "Returned to the queue"
            JobEventType.EDITED -> "Edited"
            JobEventType.TIMEOUT_IGNORED -> "The handler continued after its timeout"
        }

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
