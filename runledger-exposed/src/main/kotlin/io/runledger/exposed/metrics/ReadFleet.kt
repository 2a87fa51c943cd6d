package io.runledger.exposed.metrics

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.FleetMetrics
import io.runledger.model.fleet.FleetMetrics.LimitLoad
import io.runledger.model.fleet.FleetMetrics.QueueLoad
import io.runledger.model.fleet.FleetMetrics.TypeLoad
import io.runledger.model.schedule.ScheduleFire
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import kotlin.math.roundToLong

/** Reads the load of the whole ledger from one snapshot. Each count stops at a limit. */
internal class ReadFleet(private val context: LedgerContext) {
    fun fleet(limit: Int): FleetMetrics {
        if (limit !in 1..LARGEST_COUNT) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The limit of the counts is $limit: give 1 to $LARGEST_COUNT.")
        }
        return context.transactions.snapshot { connection ->
            val types = ArrayList<TypeLoad>()
            var ledger: FleetMetrics? = null
            connection.rows(
                context.statements["metrics/fleet"],
                {
                    int("limit", limit)
                    long("late_us", ScheduleFire.GRACE.toMicros())
                },
            ) {
                if (ledger == null) ledger = fleetMetrics(limit)
                if (getString("job_type") != null) types += typeLoad()
            }
            checkNotNull(ledger).with(
                types,
                connection.named("metrics/fleet_limits", limit) { limitLoad() },
                connection.named("metrics/fleet_queues", limit) { queueLoad() },
            )
        }
    }

    private fun <T> Connection.named(statement: String, limit: Int, read: ResultSet.() -> T): List<T> = rows(
        context.statements[statement],
        {
            int("limit", limit)
            int("names", FleetMetrics.MOST_NAMES)
        },
        read,
    )

    private fun FleetMetrics.with(types: List<TypeLoad>, limits: List<LimitLoad>, queues: List<QueueLoad>) = FleetMetrics(
        limit(),
        types,
        expiredLeases(),
        longestExpiry(),
        workers(),
        lateSchedules(),
        longestLateness(),
        openRuns(),
        waitingGates(),
        longestGateWait(),
        limits,
        queues,
    )

    private fun ResultSet.fleetMetrics(limit: Int) = FleetMetrics(
        limit,
        emptyList(),
        getLong("expired_leases"),
        sinceOrNull("longest_expiry"),
        FleetMetrics.Workers(
            getLong("working"),
            getLong("draining"),
            getLong("stopping"),
            getLong("lost"),
            getLong("slots"),
            getLong("busy_slots"),
            getLong("held_jobs"),
        ),
        getLong("late_schedules"),
        sinceOrNull("longest_lateness"),
        getLong("open_runs"),
        getLong("waiting_gates"),
        sinceOrNull("longest_gate_wait"),
        emptyList(),
        emptyList(),
    )

    private fun ResultSet.typeLoad() = TypeLoad(
        getString("job_type"),
        getLong("due"),
        getLong("scheduled"),
        getLong("paused"),
        getLong("running"),
        getLong("dead_letters"),
        sinceOrNull("oldest_due"),
        getBoolean("is_capped"),
    )

    private fun ResultSet.sinceOrNull(column: String): Duration? =
        getDouble(column).takeUnless { wasNull() }?.let { Duration.ofNanos((maxOf(it, 0.0) * 1_000_000_000).roundToLong()) }

    private fun ResultSet.limitLoad() = LimitLoad(
        getString("name"),
        wire("keyed_by"),
        intOrNull("permits"),
        getLong("in_use"),
        getLong("waiting"),
        getBoolean("is_capped"),
    )

    private fun ResultSet.queueLoad() = QueueLoad(
        getString("queue"),
        getLong("waiting"),
        getLong("running"),
        sinceOrNull("oldest_due"),
        getBoolean("is_paused"),
        getBoolean("is_capped"),
    )

    private companion object {
        const val LARGEST_COUNT = 1_000_000
    }
}
