package io.runledger.exposed.intake

import io.runledger.exposed.json.StoredSettings
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit

/**
 * The request of a keyed job in canonical form, with the given values and without the defaults. The database compares two
 * snapshots as `jsonb`, so the order of members and the notation of numbers do not matter. Type, organization and key are left
 * out, because they identify the job. So are headers: a repeated request has another trace id.
 */
internal object RequestSnapshot {
    private val utcMicros = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC)

    fun of(request: JobRequest, payload: Json, settings: StoredSettings): Json = Json(
        buildString {
            append("{\"payload\":").append(payload.text())
            append(',').append(settings.members())
            append(",\"next_run_at\":").append(request.runAt()?.let { "\"${micros(it)}\"" })
            append(",\"stage\":\"").append(request.stage().wire()).append('"')
            // A newer member is left out if unset, so that a snapshot written before the member existed stays equal.
            request.delay()?.let { append(",\"delay_microseconds\":").append(it.toMicros()) }
            append('}')
        },
    )

    private fun micros(instant: Instant) = utcMicros.format(instant.truncatedTo(ChronoUnit.MICROS))
}
