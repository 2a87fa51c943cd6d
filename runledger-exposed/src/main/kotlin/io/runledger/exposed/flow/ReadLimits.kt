package io.runledger.exposed.flow

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.flow.FlowName
import io.runledger.model.flow.LimitChange
import io.runledger.model.flow.LimitHolder
import io.runledger.model.flow.LimitLoad
import io.runledger.model.flow.LimitUsage
import io.runledger.model.flow.StoredLimit
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.text.Text
import java.sql.ResultSet

/** Reads limits, their changes and their use. */
internal class ReadLimits(private val context: LedgerContext) {
    fun find(name: String): StoredLimit? = if (FlowName.LIMIT.problem(name).isPresent) {
        null
    } else {
        context.transactions.statement { connection ->
            connection.row(context.statements["flow/limit_get"], { text("name", name) }) { storedLimit() }
        }
    }

    fun get(name: String): StoredLimit = find(name) ?: throw unknownLimit(name)

    fun list(limit: Int, after: String?): Page<StoredLimit> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::text)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["flow/limit_list"],
                {
                    text("after", last)
                    int("limit", limit + 1)
                },
            ) { storedLimit() }
        }.page(limit) { Cursor.afterText(it.name()) }
    }

    fun historyOfLimit(name: String, limit: Int, after: String?): Page<LimitChange> {
        val changes = history(Text.storable(name), limit, after)
        return if (FlowName.LIMIT.problem(name).isPresent) Page(emptyList(), null) else changes
    }

    /** The changes of a row in the table of limits. */
    fun history(row: String, limit: Int, after: String?): Page<LimitChange> {
        JobQuery.requireLimit(limit)
        val last = after?.let { Cursor.instant(Cursor.values(it, 1).get()) }
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["flow/limit_history"],
                {
                    text("name", row)
                    instant("before", last)
                    int("limit", limit + 1)
                },
            ) { limitChange() }
        }.page(limit) { Cursor.write(Cursor.micros(it.changedAt())) }
    }

    fun usage(name: String, limit: Int, after: String?): Page<LimitUsage> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::text)
        get(name)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["flow/limit_usage"],
                {
                    text("name", name)
                    text("after", last)
                    int("limit", limit + 1)
                    int("most", MOST_WAITING)
                    int("holders", MOST_HOLDERS)
                },
            ) { getString("limit_key") to (limitUsage() to limitHolder()) }
        }
            .groupBy({ it.first }, { it.second })
            .map { (key, rows) -> key to rows.first().first.heldBy(rows.mapNotNull { it.second }) }
            .page(limit) { Cursor.afterText(it.first) }
            .let { page -> Page(page.items().map { it.second }, page.next()) }
    }

    fun loads(): List<LimitLoad> = context.transactions.statement { connection ->
        connection.rows(context.statements["flow/limit_loads"], { int("most", MOST_WAITING) }) {
            LimitLoad(getString("name"), getInt("in_use"), getInt("waiting"), getBoolean("is_more_waiting"))
        }
    }

    private fun ResultSet.limitUsage() = LimitUsage(
        getString("key"),
        getInt("in_use"),
        getInt("waiting"),
        getBoolean("is_more_waiting"),
        emptyList(),
        instantOrNull("begin_at"),
    )

    private fun ResultSet.limitHolder(): LimitHolder? = uuidOrNull("id")?.let {
        LimitHolder(it, getString("job_type"), getString("worker_id"), instant("leased_at"), instant("lease_expires_at"))
    }

    private fun LimitUsage.heldBy(holders: List<LimitHolder>) =
        LimitUsage(key(), inUse(), waiting(), moreWaiting(), holders, nextBegin())

    private companion object {
        const val MOST_WAITING = 5_000
        const val MOST_HOLDERS = 20
    }
}
