package io.runledger.exposed.intake

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.settings
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.signal.Announcements
import io.runledger.exposed.signal.DirectSignal
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Disposition
import io.runledger.model.text.Text
import java.sql.Connection
import java.sql.ResultSet

/**
 * Inserts any number of jobs with one statement, and a second one if some were not inserted. A single job has a statement of
 * its own, which needs no transaction and saves a round trip.
 */
internal class EnqueueJobs(private val context: LedgerContext) {
    private val transactions: Transactions get() = context.transactions
    private val announcements = Announcements()
    private val direct = EnqueueLeased(context)
    private val actions = RecordActions(context)
    private val keys = TakeKeys(context)

    fun enqueue(requests: List<JobRequest>): List<EnqueuedJob> {
        if (requests.isEmpty()) return emptyList()
        val rows = requests.map { NewJob.of(it, context) }
        return when {
            actions.isOn -> recorded(rows)
            rows.any { it.isRuled } -> ruled(rows)
            else -> plain(rows)
        }
    }

    private fun plain(rows: List<NewJob>): List<EnqueuedJob> {
        rows.singleOrNull()?.let(direct::enqueue)?.let { return listOf(it) }
        val answers = announcing(rows) { sending -> insertOne(rows, sending) ?: insertAll(rows, sending) }
        return rows.map(answers::getValue)
    }

    /** The same in an open transaction of the ledger's own. */
    fun enqueue(connection: Connection, requests: List<JobRequest>): List<EnqueuedJob> {
        if (requests.isEmpty()) return emptyList()
        val rows = requests.map { NewJob.of(it, context) }
        val answers = retryingVanishedKeys {
            transactions.part(connection) { write(it, rows, Act.unrecorded()) }
        }
        return rows.map(answers::getValue)
    }

    /** The same for jobs with keys that decide whether they are inserted, in one transaction that holds the keys. */
    private fun ruled(rows: List<NewJob>): List<EnqueuedJob> = retryingVanishedKeys {
        transactions.run { connection ->
            requireIsolation(connection, rows)
            val answers = write(connection, rows, Act.unrecorded())
            rows.map(answers::getValue)
        }
    }

    /** The same by an operator: with the record of the action, in one transaction. */
    private fun recorded(rows: List<NewJob>): List<EnqueuedJob> = retryingVanishedKeys {
        transactions.run { connection ->
            requireIsolation(connection, rows)
            actions.enqueued(connection, rows.map { it.request }) { act ->
                val answers = write(connection, rows, act)
                rows.map(answers::getValue)
            }
        }
    }

    private fun requireIsolation(connection: Connection, rows: List<NewJob>) {
        if (rows.any { it.isKeyed }) transactions.requireReadCommitted(connection, ErrorCode.JOB_IDEMPOTENCY_ISOLATION)
        if (rows.any { it.isRuled }) transactions.requireReadCommitted(connection, ErrorCode.JOB_KEY_ISOLATION)
    }

    /** Takes the keys first: all callers lock them before jobs and before idempotency keys. */
    private fun write(connection: Connection, rows: List<NewJob>, act: Act): Map<NewJob, EnqueuedJob> {
        val plain = rows.filterNot { it.isRuled }
        if (plain.size == rows.size) return insertOrFind(connection, context.statements, rows)
        val taken = keys.take(connection, rows, act)
        val inserts = plain + taken.inserts
        val inserted = if (inserts.isEmpty()) emptyMap() else insertOrFind(connection, context.statements, inserts)
        return taken.answers + inserted.filterKeys { !it.isRuled }
    }

    /** Tries the statement for a single job. Returns null if it does not insert the job: [insertAll] then finds the reason. */
    private fun insertOne(rows: List<NewJob>, sending: Sending): Map<NewJob, EnqueuedJob>? {
        val row = rows.singleOrNull() ?: return null
        if (row.isKeyed && transactions.isJoined) return null
        return transactions.statement { connection ->
            connection.row(sending.statements(connection)["intake/enqueue_one"], { newJob(row) }) { mapOf(row to row.inserted()) }
        }
    }

    private fun insertAll(rows: List<NewJob>, sending: Sending): Map<NewJob, EnqueuedJob> = retryingVanishedKeys {
        transactions.run { connection ->
            requireIsolation(connection, rows)
            insertOrFind(connection, sending.statements(connection), rows)
        }
    }

    /**
     * Writes with statements that send a notification, unless a transaction of this client has just sent the same one. In the
     * caller's transaction they always send it, because the time of the commit is unknown. So do jobs with a given run time,
     * which may lie in the past. The workers of this client learn of all due jobs directly, after the commit.
     */
    private fun announcing(rows: List<NewJob>, write: (Sending) -> Map<NewJob, EnqueuedJob>): Map<NewJob, EnqueuedJob> {
        if (transactions.isJoined || rows.any { it.request.runAt() != null }) return write(Sending(context.statements))
        val due = rows.filter { it.isDueAtOnce }.mapTo(HashSet()) { it.request.jobType() }
        val direct = context.signals.direct(due)
        if (!announcements.begin(due)) return write(Sending(context.statements.silent)).also { direct?.committed(dueTypes(it)) }
        var isNotified = false
        try {
            val answers = write(Sending(context.statements, direct))
            isNotified = answers.values.all { it.isNew }
            direct?.committed(dueTypes(answers))
            return answers
        } catch (failure: Throwable) {
            direct?.failed()
            throw failure
        } finally {
            if (!isNotified) announcements.revert(due)
        }
    }

    /** The types of the new jobs that are due. */
    private fun dueTypes(answers: Map<NewJob, EnqueuedJob>): Set<String> =
        answers.filter { (row, job) -> row.isDueAtOnce && job.isNew }.keys.mapTo(HashSet()) { it.request.jobType() }

    /** The statements of one call, and the signal to the workers of this client, if there is one. */
    private class Sending(private val statements: Statements, private val direct: DirectSignal? = null) {
        fun statements(connection: Connection): Statements = statements.also { direct?.sending(connection) }
    }

    private val EnqueuedJob.isNew: Boolean get() = disposition() == Disposition.INSERTED

    /** Inserts the new jobs and finds the existing ones. */
    private fun insertOrFind(connection: Connection, statements: Statements, rows: List<NewJob>): Map<NewJob, EnqueuedJob> {
        // In key order, so that two calls with the same keys wait for each other and do not deadlock. Jobs without a key keep the
        // order of the list, which is that of their positions if they are in an order.
        val ordered = if (rows.none { it.isKeyed }) {
            rows
        } else {
            rows.sortedWith(
                compareBy({ it.request.idempotencyKey() }, { it.request.jobType() }, { it.request.organizationId() }),
            )
        }
        val inserted = connection.rows(statements["intake/enqueue"], { bind(ordered) }) { uuid("id") }.toSet()
        val (new, refused) = ordered.partition { it.id in inserted }
        return new.associateWith { it.inserted() } + if (refused.isEmpty()) emptyMap() else find(connection, refused)
    }

    /** The jobs that hold the keys of [refused]. */
    private fun find(connection: Connection, refused: List<NewJob>): Map<NewJob, EnqueuedJob> {
        refused.firstOrNull { !it.isKeyed }?.let { throw undefined(it) }
        val rows = refused.associateBy { it.id }
        return connection.rows(context.statements["intake/enqueue_existing"], { bindKeys(refused) }) {
            val row = rows.getValue(uuid("id"))
            row to existing(row)
        }.associate { (row, job) -> row to (job ?: throw VanishedKey()) }
    }

    /** The job that holds the key of [row], or null if it has been deleted. */
    private fun ResultSet.existing(row: NewJob): EnqueuedJob? {
        val id = uuidOrNull("existing_id")
        return when {
            id == null -> if (getBoolean("is_defined")) null else throw undefined(row)
            !getBoolean("same") -> throw conflict(row)
            else -> EnqueuedJob(id, Disposition.EXISTING, wire<JobStatus>("status"), getInt("run_number"))
        }
    }

    private fun Binder.bind(rows: List<NewJob>) {
        uuids("ids", rows.map { it.id })
        texts("job_types", rows.map { it.request.jobType() })
        uuids("organization_ids", rows.sparse { it.request.organizationId() })
        jsons("payloads", rows.map { it.payload })
        settings(rows.map { it.settings })
        instants("run_times", rows.sparse { it.runAt })
        longs("delays_us", rows.sparse { it.delay?.toMicros() })
        texts("idempotency_keys", rows.sparse { it.request.idempotencyKey() })
        wires("stages", rows.map { it.request.stage() })
        jsons("enqueue_requests", rows.sparse { it.snapshot })
        jsons("headers", rows.sparse { it.headers })
    }

    private fun Binder.bindKeys(rows: List<NewJob>) {
        uuids("ids", rows.map { it.id })
        texts("job_types", rows.map { it.request.jobType() })
        uuids("organization_ids", rows.map { it.request.organizationId() })
        texts("idempotency_keys", rows.map { it.request.idempotencyKey() })
        jsons("enqueue_requests", rows.map { it.snapshot })
    }

    private fun undefined(row: NewJob) = ErrorCode.DEFINITION_UNAVAILABLE.exception(
        "Job type ${Text.quoted(row.request.jobType())} is not defined or is disabled: define it, or enable it again.",
    )

    private fun conflict(row: NewJob) = ErrorCode.JOB_IDEMPOTENCY_CONFLICT.exception(
        "The idempotency key was used before for a different ${Text.quoted(row.request.jobType())} job: " +
            "repeat the same request, or use another key.",
        "idempotency key ${Text.quoted(row.request.idempotencyKey().orEmpty())}",
    )
}
