package io.runledger.exposed.verify

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.ledger.Health
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Reads the health of the ledger with five statements. They take no row locks, and their cost does not grow with the queue. */
internal class ReadHealth(private val context: LedgerContext) {
    fun health(): Health = context.transactions.run { connection ->
        val tables = connection.rows(context.statements["verify/health_tables"]) {
            Health.Table(getString("name"), getLong("live_rows"), getLong("dead_rows"), instantOrNull("vacuumed_at"))
        }
        val longestWait = longestWait(connection)
        val waits = waits(connection)
        checkNotNull(connection.row(context.statements["verify/health"]) { health(longestWait, tables, waits) })
    }

    private fun longestWait(connection: Connection): Duration? {
        val jobTypes = connection.rows(context.statements["definition/definition_list"], {
            text("containing", "")
        }) { getString("job_type") }
        // Jobs with flow may wait for their limit as long as it takes.
        val untilDue = connection.rows(context.statements["claim/next_due"], {
            texts("job_types", jobTypes)
            bool("with_flow", false)
        }) { durationOrNull("until_us") }.single()
        return untilDue?.negated()?.takeUnless { it.isNegative }
    }

    private class Wait(val isLimit: Boolean, val name: String, val isPaused: Boolean, val time: Duration)

    private fun waits(connection: Connection): List<Wait> = connection.rows(
        context.statements["verify/health_flow"],
        {
            int("most", MOST_GROUPS)
            int("limit", Health.MOST_NAMES)
        },
    ) {
        Wait(
            getBoolean("is_limit"),
            getString("name"),
            getBoolean("is_paused"),
            Duration.of(getLong("wait_us"), ChronoUnit.MICROS),
        )
    }

    private fun Wait.stoppedLimit() = Health.StoppedLimit(name.removePrefix(QUEUE), name.startsWith(QUEUE), isPaused, time)

    private fun ResultSet.health(longestWait: Duration?, tables: List<Health.Table>, waits: List<Wait>) = Health(
        longestWait,
        getLong("leases"),
        durationOrNull("longest_expiry_us"),
        getLong("drains"),
        durationOrNull("longest_drain_us"),
        getLong("snapshot_transactions"),
        durationOrNull("snapshot_us"),
        tables,
        waits.filter { it.isLimit }.map { it.stoppedLimit() },
        waits.filterNot { it.isLimit }.map { Health.UnservedQueue(it.name, it.time) },
    )

    private fun ResultSet.durationOrNull(column: String): Duration? = longOrNull(column)?.let {
        Duration.of(it, ChronoUnit.MICROS)
    }

    private companion object {
        const val QUEUE = "queue:"

        /** Flow groups of a type that are looked at. */
        const val MOST_GROUPS = 500
    }
}
