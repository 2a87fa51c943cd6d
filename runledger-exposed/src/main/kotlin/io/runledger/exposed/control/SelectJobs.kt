package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.asAge
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
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/**
 * Finds the jobs of a selection without locking them. Jobs are read in the order of an index that contains their status and are
 * not sorted. Each batch begins where the previous one ended, so all batches together read each candidate once.
 */
internal class SelectJobs(private val context: LedgerContext) {
    /** Up to [limit] of the [wanted] jobs, one status after another. */
    fun select(connection: Connection, wanted: WantedJobs, limit: Int): List<SelectedJob> =
        wanted.statuses.sorted().fold(emptyList()) { found, status ->
            if (found.size == limit) found else found + batch(connection, wanted, Position(status), limit - found.size)
        }

    /** The [selection] limited to the jobs that exist now. Without this limit, a walk may never end. */
    fun existing(scope: Scope, selection: JobSelection, statuses: Set<JobStatus>): WantedJobs {
        val now = context.transactions.statement { connection ->
            checkNotNull(connection.row(context.statements["schedule/database_now"]) { instant("database_now") })
        }
        return WantedJobs(scope, selection, statuses, now)
    }

    /**
     * Calls [work] with all [wanted] jobs, in batches. Each batch runs in its own transaction. In the caller's transaction all
     * batches are one part of it.
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
        val scope = wanted.scope
        val order = SelectionOrder.of(scope, wanted.selection, after.status)
        val filters = filters(order, wanted, after.status)
        val types = typesOf(order, wanted)
        return connection.rows(
            context.statements.scoped(order.statement, scope).replace("{types}", typesIn(types)).narrowed(filters),
            {
                order.start(this, after, ageOf(wanted))
                if (types.isNotEmpty()) texts("job_types", types)
                scope(scope)
                filters.forEach { it.bind(this) }
                int("limit", limit)
            },
        ) { SelectedJob(uuid("id"), getInt("run_number"), order.position(this, after.status)) }
    }

    /** The types whose candidates the statement of [order] reads one after the other; empty for all. */
    fun typesOf(order: SelectionOrder, wanted: WantedJobs): List<String> =
        if (order.isByType) wanted.selection.jobTypes() else emptyList()

    fun ageOf(wanted: WantedJobs): Long? = wanted.selection.age()

    /** What stands for `{types}` in a statement that reads the candidates of [types]. */
    fun typesIn(types: List<String>): String =
        if (types.isEmpty()) "${context.schema.quoted}.job_definitions" else "(SELECT unnest(:job_types::text[]) AS job_type)"

    /** The conditions of [wanted] that the statement of [order] does not contain, apart from the scope. */
    fun filters(order: SelectionOrder, wanted: WantedJobs, status: JobStatus) = buildList {
        val selection = wanted.selection
        if (!order.isByType && selection.jobTypes().isNotEmpty()) {
            add(Filter("q.job_type = ANY (:job_types::text[])") { texts("job_types", selection.jobTypes()) })
        }
        selection.errorCode()?.let { code -> add(Filter("q.last_error_code = :error_code") { text("error_code", code) }) }
        selection.errorMessage()?.let { message -> add(messageFilter(message)) }
        selection.queue()?.let { queue -> add(Filter(queueCondition(status)) { text("queue", queue) }) }
        selection.age()?.let { age ->
            add(Filter("q.created_at < now() - :age_us::bigint * interval '1 microsecond'") { long("age_us", age) })
        }
        wanted.before?.let { add(Filter("q.created_at <= :created_until") { instant("created_until", it) }) }
        // The dead letter of a workflow step is retried with its run.
        if (status == JobStatus.DEAD_LETTERED) add(Filter("NOT q.is_step"))
    }

    /** Only with its second half can the index of queues be used. */
    fun queueCondition(status: JobStatus): String =
        "q.queue = :queue" + if (status in SelectionOrder.LIVE) " AND q.finished_at IS NULL" else ""

    /** A message that is normalized already is compared as it is: it was cut, so what it is normalized to may be shorter. */
    private fun messageFilter(message: String): Filter {
        val schema = context.schema
        val sql = "${schema.quoted}.normalized_message(q.last_error_message) " +
            "IN (:error_message, ${schema.quoted}.normalized_message(:error_message))"
        return Filter(sql) {
            text("error_message", message)
        }
    }

    private fun JobSelection.age(): Long? = olderThan()?.asAge()?.toMicros()

    private companion object {
        const val BATCH = 500
    }
}

/** A selection in a scope. If [before] is set, only the jobs that existed at that time. */
internal class WantedJobs(
    val scope: Scope,
    val selection: JobSelection,
    val statuses: Set<JobStatus>,
    val before: Instant? = null,
)

/** A selected job, with its position in the order of the selection. */
internal class SelectedJob(val id: UUID, val runNumber: Int, val position: Position) {
    val status: JobStatus get() = position.status
}

/** The statuses of [selection], or all that the operation can change if it names none. Refuses any other status. */
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
