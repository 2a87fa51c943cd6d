package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.read.Filter
import io.runledger.exposed.read.narrowed
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.JobSelection
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/**
 * Finds the jobs an operator means, without locking them. Jobs are read in the order of an index that holds their status, never
 * sorted, and a batch begins where the one before ended: all batches together read each candidate once.
 */
internal class SelectJobs(private val context: LedgerContext) {
    /** Up to [limit] of the [wanted] jobs, status by status. */
    fun select(connection: Connection, wanted: WantedJobs, limit: Int): List<SelectedJob> =
        wanted.statuses.sorted().fold(emptyList()) { found, status ->
            if (found.size == limit) found else found + batch(connection, wanted, Position(status), limit - found.size)
        }

    /** The [selection] as it is now: without an end, producers that are faster than a walk would keep it going for ever. */
    fun existing(scope: Scope, selection: JobSelection, statuses: Set<JobStatus>): WantedJobs {
        val now = context.transactions.statement { connection ->
            checkNotNull(connection.row(context.statements["database_now"]) { instant("database_now") })
        }
        return WantedJobs(scope, selection, statuses, now)
    }

    /**
     * Gives [work] all [wanted] jobs, in batches. Each batch is a transaction of its own, unless the caller's is joined: then all
     * of them are one part of it.
     */
    fun forEachBatch(wanted: WantedJobs, work: (Connection, List<SelectedJob>) -> Unit) {
        val transactions = context.transactions
        if (transactions.isJoined) {
            transactions.run { connection -> walk(wanted, work) { it(connection) } }
        } else {
            walk(wanted, work) { transactions.run(it) }
        }
    }

    private fun walk(
        wanted: WantedJobs,
        work: (Connection, List<SelectedJob>) -> Unit,
        transaction: ((Connection) -> Position?) -> Position?,
    ) = wanted.statuses.sorted().forEach { status ->
        var position: Position? = Position(status)
        while (position != null) {
            val after: Position = position
            position = transaction { connection ->
                val batch = batch(connection, wanted, after, BATCH)
                if (batch.isNotEmpty()) work(connection, batch)
                batch.lastOrNull()?.position?.takeIf { batch.size == BATCH }
            }
        }
    }

    private fun batch(connection: Connection, wanted: WantedJobs, after: Position, limit: Int): List<SelectedJob> {
        val (scope, selection) = wanted.scope to wanted.selection
        val order = SelectionOrder.of(scope, selection, after.status)
        val filters = filters(order, wanted, after.status)
        val types = if (order.isByType) selection.jobTypes() else emptyList()
        return connection.rows(
            context.statements.scoped(order.statement, scope).replace("{types}", typesIn(types)).narrowed(filters),
            {
                order.start(this, after, selection.age())
                if (types.isNotEmpty()) texts(types)
                scope(scope)
                filters.forEach { it.bind(this) }
                int(limit)
                if (order.isByType) int(limit)
            },
        ) { SelectedJob(uuid("id"), getInt("run_number"), order.position(this, after.status)) }
    }

    private fun typesIn(types: List<String>): String =
        if (types.isEmpty()) "${context.schema.quoted}.job_definitions" else "(SELECT unnest(?::text[]) AS job_type)"

    private fun filters(order: SelectionOrder, wanted: WantedJobs, status: JobStatus) = buildList {
        val selection = wanted.selection
        if (!order.isByType && selection.jobTypes().isNotEmpty()) {
            add(Filter("q.job_type = ANY (?::text[])") { texts(selection.jobTypes()) })
        }
        selection.errorCode()?.let { code -> add(Filter("q.last_error_code = ?") { text(code) }) }
        selection.age()?.let { add(Filter("q.created_at < now() - ?::bigint * interval '1 microsecond'") { long(it) }) }
        wanted.before?.let { add(Filter("q.created_at <= ?") { instant(it) }) }
        // A workflow step's dead letter is retried with its run.
        if (status == JobStatus.DEAD_LETTERED) add(Filter("NOT q.is_step"))
    }

    private fun JobSelection.age(): Long? = olderThan()?.asAge()?.toMicros()

    private companion object {
        const val BATCH = 500
    }
}

/** What an operator means: a selection in a scope and, unless [before] is null, only jobs that were there at that time. */
internal class WantedJobs(
    val scope: Scope,
    val selection: JobSelection,
    val statuses: Set<JobStatus>,
    val before: Instant? = null,
)

/** A job that was selected, and where it lies in the order it was found in. */
internal class SelectedJob(val id: UUID, val runNumber: Int, val position: Position) {
    val status: JobStatus get() = position.status
}

/** The statuses [selection] means, out of those an operation can change. */
internal fun statusesOf(selection: JobSelection, possible: Set<JobStatus>): Set<JobStatus> {
    val impossible = selection.statuses() - possible
    if (impossible.isNotEmpty()) {
        throw ErrorCode.INVALID_ARGUMENT.exception(
            "The selection names ${impossible.joinToString()}: this operation changes jobs that are " +
                "${possible.joinToString(" or ")}.",
        )
    }
    return selection.statuses().ifEmpty { possible }
}
