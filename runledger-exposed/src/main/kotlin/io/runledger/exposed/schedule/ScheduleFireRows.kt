package io.runledger.exposed.schedule

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.schedule.ScheduleFire
import java.sql.ResultSet

internal fun ResultSet.scheduleFire() = ScheduleFire(
    uuid("schedule_id"),
    uuidOrNull("job_id"),
    uuidOrNull("run_id"),
    instant("scheduled_for"),
    instant("fired_at"),
    getInt("times"),
    wire("cause"),
    wire("outcome"),
    getString("dedup_key"),
    getString("error_code"),
    getString("reason"),
)

/** As [scheduleFire], or null if the row has none. */
internal fun ResultSet.scheduleFireOrNull(): ScheduleFire? = if (uuidOrNull("schedule_id") == null) null else scheduleFire()
