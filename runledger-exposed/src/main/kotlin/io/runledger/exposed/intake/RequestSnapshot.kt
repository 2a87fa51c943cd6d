package io.runledger.exposed.intake

import io.runledger.model.json.Json
import io.runledger.model.spec.JobRequest
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit

/**
 * A keyed job's request in its canonical form: what was asked for, not what was made of it. The database compares two of them
 * as `jsonb`, so the order of members and the spelling of numbers do not matter. Type, organization and key are not inside:
 * they are what it is looked up by.
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
            // Newer members are left out when unset, so that snapshots written before they existed stay equal.
            request.delay()?.let { add("delay_microseconds" to "${it.toMicros()}") }
            retryPolicy?.let { add("retry_policy" to it.text()) }
        }
        return Json(members.joinToString(",", "{", "}") { (name, value) -> "\"$name\":$value" })
    }

    private fun micros(instant: Instant) = utcMicros.format(instant.truncatedTo(ChronoUnit.MICROS))
}
