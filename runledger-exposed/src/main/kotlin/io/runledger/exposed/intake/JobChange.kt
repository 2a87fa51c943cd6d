package io.runledger.exposed.intake

import io.runledger.model.json.Json
import io.runledger.model.key.Debounce
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Replacement
import java.time.Duration
import java.time.Instant

/** What enqueues with the key of a waiting job replace in it. */
internal class JobChange private constructor(
    /** Null if payload and headers stay. */
    val payload: Json?,
    val headers: Json?,
    val setsTime: Boolean,
    val runAt: Instant?,
    val delay: Duration?,
    val pause: Duration?,
    val atMost: Duration?,
    val setsPriority: Boolean,
    val priority: Int?,
    /** Whether the job must not have been claimed before. */
    val isDebounced: Boolean,
) {
    /** This change, and [later] after it. */
    fun and(later: JobChange): JobChange {
        val content = if (later.payload == null) this else later
        val time = if (later.setsTime) later else this
        val order = if (later.setsPriority) later else this
        return JobChange(
            content.payload,
            content.headers,
            time.setsTime,
            time.runAt,
            time.delay,
            time.pause,
            time.atMost,
            order.setsPriority,
            order.priority,
            isDebounced || later.isDebounced,
        )
    }

    companion object {
        fun of(job: NewJob, rule: Debounce) =
            JobChange(job.payload, job.headers, true, null, null, rule.pause(), rule.atMost(), false, null, true)

        fun of(job: NewJob, rule: Replacement): JobChange {
            val isContent = ReplacedPart.PAYLOAD in rule.parts()
            val isTime = ReplacedPart.TIME in rule.parts()
            val isPriority = ReplacedPart.PRIORITY in rule.parts()
            return JobChange(
                if (isContent) job.payload else null,
                if (isContent) job.headers else null,
                isTime,
                if (isTime) job.runAt else null,
                if (isTime) job.delay else null,
                null,
                null,
                isPriority,
                if (isPriority) job.settings.priority else null,
                false,
            )
        }
    }
}
