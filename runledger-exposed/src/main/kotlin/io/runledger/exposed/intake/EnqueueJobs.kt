package io.runledger.exposed.intake

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.settings
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.json.storedHeaders
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
import io.runledger.model.json.Json
import io.runledger.model.ledger.Disposition
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.util.UUID

/**
 * Inserts any number of jobs with one statement, and a second one if some were not inserted. A single job has a statement of
 * its own, which needs no transaction and saves a round trip.
 */
internal class EnqueueJobs(private val context: LedgerContext) {
    private val transactions: Transactions get() = context.transactions
    private val announcements = Announcements()

    fun enqueue(requests: List<JobRequest>): List<EnqueuedJob> {
        if (requests.isEmpty()) return emptyList()
        val rows = requests.map(::row)
        val answers = announcing(rows) { sending -> insertOne(rows, sending) ?: insertAll(rows, sending) }
        return rows.map(answers::getValue)
    }

    /** The same in an open transaction of the ledger's own. */
    fun enqueue(connection: Connection, requests: List<JobRequest>): List<EnqueuedJob> {
        if (requests.isEmpty()) return emptyList()
        val rows = requests.map(::row)
        val answers = retryingVanishedKeys {
            transactions.part(connection) { insertOrFind(it, context.statements, rows) }
        }
        return rows.map(answers::getValue)
    }

    /** Tries the statement for a single job. Returns null if it does not insert the job: [insertAll] then finds the reason. */
    private fun insertOne(rows: List<Row>, sending: Sending): Map<Row, EnqueuedJob>? {
        val row = rows.singleOrNull() ?: return null
        if (row.isKeyed && transactions.isJoined) return null
        return transactions.statement { connection ->
            connection.row(sending.statements(connection)["intake/enqueue_one"], { bind(row) }) { mapOf(row to row.inserted()) }
        }
    }

    private fun insertAll(rows: List<Row>, sending: Sending): Map<Row, EnqueuedJob> = retryingVanishedKeys {
        transactions.run { connection ->
            if (rows.any { it.isKeyed }) transactions.requireReadCommitted(connection, ErrorCode.JOB_IDEMPOTENCY_ISOLATION)
            insertOrFind(connection, sending.statements(connection), rows)
        }
    }

    /**
     * Writes with statements that send a notification, unless a transaction of this client has just sent the same one. In the
     * caller's transaction they always send it, because the time of the commit is unknown. So do jobs with a given run time,
     * which may lie in the past. The workers of this client learn of all due jobs directly, after the commit.
     */
    private fun announcing(rows: List<Row>, write: (Sending) -> Map<Row, EnqueuedJob>): Map<Row, EnqueuedJob> {
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
    private fun dueTypes(answers: Map<Row, EnqueuedJob>): Set<String> =
        answers.filter { (row, job) -> row.isDueAtOnce && job.isNew }.keys.mapTo(HashSet()) { it.request.jobType() }

    /** The statements of one call, and the signal to the workers of this client, if there is one. */
    private class Sending(private val statements: Statements, private val direct: DirectSignal? = null) {
        fun statements(connection: Connection): Statements = statements.also { direct?.sending(connection) }
    }

    private val EnqueuedJob.isNew: Boolean get() = disposition() == Disposition.INSERTED

    /** Inserts the new jobs and finds the existing ones. */
    private fun insertOrFind(connection: Connection, statements: Statements, rows: List<Row>): Map<Row, EnqueuedJob> {
        // In key order, so that two calls with the same keys wait for each other and do not deadlock.
        val ordered = rows.sortedWith(
            compareBy({ it.request.idempotencyKey() }, { it.request.jobType() }, { it.request.organizationId() }),
        )
        val inserted = connection.rows(statements["intake/enqueue"], { bind(ordered) }) { uuid("id") }.toSet()
        val (new, refused) = ordered.partition { it.id in inserted }
        return new.associateWith { it.inserted() } + if (refused.isEmpty()) emptyMap() else find(connection, refused)
    }

    /** The jobs that hold the keys of [refused]. */
    private fun find(connection: Connection, refused: List<Row>): Map<Row, EnqueuedJob> {
        refused.firstOrNull { !it.isKeyed }?.let { throw undefined(it) }
        val rows = refused.associateBy { it.id }
        return connection.rows(context.statements["intake/enqueue_existing"], { bindKeys(refused) }) {
            val row = rows.getValue(uuid("id"))
            row to existing(row)
        }.associate { (row, job) -> row to (job ?: throw VanishedKey()) }
    }

    /** The job that holds the key of [row], or null if it has been deleted. */
    private fun ResultSet.existing(row: Row): EnqueuedJob? {
        val id = uuidOrNull("existing_id")
        return when {
            id == null -> if (getBoolean("is_defined")) null else throw undefined(row)
            !getBoolean("same") -> throw conflict(row)
            else -> EnqueuedJob(id, Disposition.EXISTING, wire<JobStatus>("status"), getInt("run_number"))
        }
    }

    private fun Binder.bind(rows: List<Row>) {
        uuids("ids", rows.map { it.id })
        texts("job_types", rows.map { it.request.jobType() })
        uuids("organization_ids", rows.sparse { it.request.organizationId() })
        jsons("payloads", rows.map { it.payload })
        settings(rows.map { it.settings })
        instants("run_times", rows.sparse { it.request.runAt() })
        longs("delays_us", rows.sparse { it.request.delay()?.toMicros() })
        texts("idempotency_keys", rows.sparse { it.request.idempotencyKey() })
        wires("stages", rows.map { it.request.stage() })
        jsons("enqueue_requests", rows.sparse { it.snapshot })
        jsons("headers", rows.sparse { it.headers })
    }

    private fun Binder.bind(row: Row) {
        uuid("id", row.id)
        text("job_type", row.request.jobType())
        uuid("organization_id", row.request.organizationId())
        json("payload", row.payload)
        settings(row.settings)
        instant("run_at", row.request.runAt())
        long("delay_us", row.request.delay()?.toMicros())
        text("idempotency_key", row.request.idempotencyKey())
        text("stage", row.request.stage().wire())
        json("enqueue_request", row.snapshot)
        json("headers", row.headers)
    }

    private fun Binder.bindKeys(rows: List<Row>) {
        uuids("ids", rows.map { it.id })
        texts("job_types", rows.map { it.request.jobType() })
        uuids("organization_ids", rows.map { it.request.organizationId() })
        texts("idempotency_keys", rows.map { it.request.idempotencyKey() })
        jsons("enqueue_requests", rows.map { it.snapshot })
    }

    private fun row(request: JobRequest): Row {
        val payload = context.encoded(request.payload(), "a '${request.jobType()}' job")
        val settings = request.settings().storedForm()
        val snapshot = request.idempotencyKey()?.let { RequestSnapshot.of(request, payload, settings) }
        val headers = context.headers.enqueued(request.headers(), HeaderSource.Kind.JOB, request.jobType()).storedHeaders()
        return Row(UuidV7.next(), request, payload, settings, snapshot, headers)
    }

    private fun undefined(row: Row) = ErrorCode.DEFINITION_UNAVAILABLE.exception(
        "Job type ${Text.quoted(row.request.jobType())} is not defined or is disabled: define it, or enable it again.",
    )

    private fun conflict(row: Row) = ErrorCode.JOB_IDEMPOTENCY_CONFLICT.exception(
        "The idempotency key was used before for a different ${Text.quoted(row.request.jobType())} job: " +
            "repeat the same request, or use another key.",
        "idempotency key ${Text.quoted(row.request.idempotencyKey().orEmpty())}",
    )

    private class Row(
        val id: UUID,
        val request: JobRequest,
        val payload: Json,
        val settings: StoredSettings,
        val snapshot: Json?,
        val headers: Json?,
    ) {
        val isKeyed get() = request.idempotencyKey() != null

        val isDueAtOnce get() = (request.delay() ?: Duration.ZERO).isZero

        fun inserted() = EnqueuedJob(id, Disposition.INSERTED, JobStatus.PENDING, 1)
    }
}

/** Rounded up, so that no job is due earlier than requested. */
internal fun Duration.toMicros(): Long = plusNanos(999).let { it.seconds * 1_000_000 + it.nano / 1_000 }
