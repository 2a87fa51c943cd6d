package io.runledger.exposed.flow

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.limitValues
import io.runledger.exposed.sql.wire
import io.runledger.model.flow.LimitChange
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.flow.StoredLimit
import java.sql.ResultSet
import java.time.Duration

/** The row of a queue in the table of limits. */
internal fun rowOfQueue(queue: String): String = "queue:$queue"

internal fun ResultSet.storedLimit() = StoredLimit(
    getString("name"),
    wire("keyed_by"),
    limitValues(),
    limitValues("declared_"),
    getBoolean("is_changed"),
    instant("created_at"),
    instant("updated_at"),
)

internal fun ResultSet.limitChange() = LimitChange(
    getString("name").removePrefix(rowOfQueue("")),
    instant("changed_at"),
    limitValues(),
    getString("changed_by"),
    getString("reason"),
)

/** Values in the record of an action. */
internal fun LimitValues.storedForm(): Map<String, Any?> = buildMap {
    permits()?.let { put("permits", it) }
    rate()?.let { put("rate", mapOf("count" to it.count(), "period" to it.period().toString(), "burst" to it.burst())) }
}

/** Reads what [storedForm] wrote. */
internal fun readLimitValues(stored: Map<*, *>): LimitValues = LimitValues(
    stored["permits"] as Int?,
    (stored["rate"] as Map<*, *>?)?.let { Rate(it["count"] as Int, Duration.parse(it["period"] as String), it["burst"] as Int) },
)
