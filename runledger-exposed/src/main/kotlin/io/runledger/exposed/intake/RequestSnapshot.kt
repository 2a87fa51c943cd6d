package io.runledger.exposed.intake

import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit

/**
 * The request of a keyed job in canonical form, with the given values and without the defaults. The database compares two
 * snapshots as `jsonb`, so the order of members and the notation of numbers do not matter. Type, organization and key are left
 * out, because they identify the job.
 */
internal object RequestSnapshot {
    private val utcMicros = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC)

    fun of(request: JobRequest, payload: Json, retryPolicy: Json?): Json {
        val members = buildList {
            add("payload" to payload.text())
            add("priority" to "${request.priority()}")
            add("max_attempts" to "${request.maxAttempts()}")
            add("timeout_seconds" to "${request.timeout()?.toSeconds()}")
            add("next_run_at" to (request.runAt()?.let { "\"${micros(it)}\"" } ?: "null"))
            add("stage" to "\"${request.stage().wire()}\"")
            // A newer member is left out if unset, so that a snapshot written before the member existed stays equal.
            request.delay()?.let { add("delay_microseconds" to "${it.toMicros()}") }
            retryPolicy?.let { add("retry_policy" to it.text()) }
        }
        return Json(members.joinToString(",", "{", "}") { (name, value) -> "\"$name\":$value" })
    }

    private fun micros(instant: Instant) = utcMicros.format(instant.truncatedTo(ChronoUnit.MICROS))
}
