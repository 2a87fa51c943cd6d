package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidsOrNone
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.text.Text
import java.sql.Connection
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID

/** The statements that end attempts: one for plain successes, one for every kind of ending. The verdicts are storable. */
internal class EndAttempts(private val context: LedgerContext) {
    /**
     * Ends those attempts whose lease is still held and whose jobs are workflow steps, or are not, as [steps] says. Returns the
     * ended attempts by lease id. Skips rows that another transaction holds, except in the caller's transaction.
     */
    fun end(connection: Connection, verdicts: Map<Lease, Verdict>, steps: Boolean): Map<UUID, SettledJob> {
        if (verdicts.isEmpty()) return emptyMap()
        val byLeaseId = verdicts.keys.associateBy { it.leaseId() }
        return connection.rows(context.lockingStatement("settle/settle"), { bind(verdicts, steps) }) {
            val lease = byLeaseId.getValue(uuid("lease_id"))
            lease.leaseId() to settledJob(lease, verdicts.getValue(lease))
        }.toMap()
    }

    /** As [end], for plain successes only. */
    fun succeed(connection: Connection, verdicts: Map<Lease, Verdict>, steps: Boolean): Map<UUID, SettledJob> {
        if (verdicts.isEmpty()) return emptyMap()
        val succeeded = connection.row(
            context.lockingStatement(
                if (connection.metaData.databaseMajorVersion < RETURNING_OLD) "settle/succeed_before_18" else "settle/succeed",
            ),
            {
                uuids("job_ids", verdicts.keys.map { it.jobId() })
                uuids("lease_ids", verdicts.keys.map { it.leaseId() })
                jsons("outputs", verdicts.values.toList().sparse { (it as Verdict.Succeed).output()?.json })
                bool("is_step", steps)
                int("jobs", verdicts.size)
            },
        ) { if (getInt("jobs") == verdicts.size) verdicts.keys else ofIds(verdicts.keys, uuidsOrNone("lease_ids")) }
        return checkNotNull(succeeded).associateBy({ it.leaseId() }) { SettledJob(it, Result.SUCCEEDED, null) }
    }

    private fun ofIds(leases: Set<Lease>, ids: Set<UUID>): List<Lease> = leases.filter { it.leaseId() in ids }

    private fun Binder.bind(verdicts: Map<Lease, Verdict>, steps: Boolean) {
        val columns = verdicts.values.map { Columns(it, context.limits.factsBytes) }
        uuids("job_ids", verdicts.keys.map { it.jobId() })
        uuids("lease_ids", verdicts.keys.map { it.leaseId() })
        texts("verdicts", columns.map { it.verdict.kind().name })
        wires("outcomes", columns.map { it.verdict.attemptOutcome() })
        texts("reasons", columns.map { it.reason })
        texts("error_codes", columns.map { it.failure?.code() })
        texts("error_messages", columns.map { it.failure?.message() })
        jsons("details", columns.map { it.details })
        jsons("outputs", columns.map { it.output })
        jsons("payloads", columns.map { it.payload })
        jsons("checkpoints", columns.map { it.checkpoint })
        longs("delays_us", columns.map { it.delayMicros })
        longs("not_before_us", columns.map { it.notBeforeMicros })
        instants("not_before", columns.map { it.notBefore })
        longs("progress_done", columns.map { it.progress.done() })
        longs("progress_total", columns.map { it.progress.total() })
        bool("is_step", steps)
        text("counts_code", unfitCounts.code().wire())
        text("counts_message", COUNTS)
    }

    /** The statement stores another verdict only if the counts contradict the stored ones. */
    private fun ResultSet.settledJob(lease: Lease, verdict: Verdict): SettledJob {
        val isStored = getBoolean("is_stored")
        val nextRunAt = if (getString("status") == JobStatus.PENDING.wire()) instant("next_run_at") else null
        val result = if (isStored) verdict.result else Result.DEAD_LETTERED
        return SettledJob(lease, result, nextRunAt, if (isStored) null else unfitCounts)
    }

    private val Verdict.result: Result
        get() = when (this) {
            is Verdict.Succeed -> Result.SUCCEEDED
            is Verdict.Retry -> Result.RETRY_SCHEDULED
            is Verdict.DeadLetter -> Result.DEAD_LETTERED
            is Verdict.Continue -> Result.CONTINUED
            is Verdict.Snooze -> Result.SNOOZED
            is Verdict.Cancel -> Result.CANCELED
            is Verdict.Release -> Result.RELEASED
        }

    private companion object {
        /** The first version of PostgreSQL whose RETURNING can refer to the replaced row version. */
        const val RETURNING_OLD = 18

        const val COUNTS = "The final done count exceeds the total count: make them fit the counts reported before."
        val unfitCounts = ErrorCode.INVALID_COMPLETION_PROGRESS.exception(COUNTS)
    }
}

/** Whether only the success and its output are to be written. */
internal val Verdict.isPlainSuccess: Boolean
    get() = this is Verdict.Succeed && progress().done() == null && progress().total() == null

/** The value of a storable verdict, which is encoded. */
private val Payload.json: Json get() = value() as Json

/** A storable verdict as the statement takes it: one value per column. */
private class Columns(val verdict: Verdict, factsBytes: Int) {
    val failure: JobFailure? = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> null
    }

    /** The reason of a dead letter, a cancellation or a snooze. */
    val reason: String? = when (verdict) {
        is Verdict.DeadLetter -> verdict.reason().wire()
        is Verdict.Cancel -> Text.storable(verdict.reason())
        is Verdict.Snooze -> "SNOOZED"
        else -> null
    }

    /** Details for programs: of a failure, or of the transition of a state machine. */
    val details: Json? = failure?.details()?.let { limited(it, factsBytes) } ?: (verdict as? Verdict.Continue)?.move()?.let {
        plainJson(mapOf("from_step" to it.from(), "to_step" to it.to()))
    }
    val output: Json? = (verdict as? Verdict.Succeed)?.output()?.json
    val payload: Json? = (verdict as? Verdict.Continue)?.payload()?.json
    val checkpoint: Json? = (verdict as? Verdict.Continue)?.checkpoint()?.json

    val delayMicros: Long? = when (verdict) {
        is Verdict.Retry -> verdict.delay()
        is Verdict.Continue -> verdict.delay()
        is Verdict.Snooze -> verdict.delay()
        else -> null
    }?.toMicros()
    val notBeforeMicros: Long? = (verdict as? Verdict.Retry)?.notBefore()?.after()?.toMicros()
    val notBefore: Instant? = when (verdict) {
        is Verdict.Retry -> verdict.notBefore()?.at()
        is Verdict.Snooze -> verdict.until()
        else -> null
    }
    val progress: Progress = when (verdict) {
        is Verdict.Succeed -> verdict.progress()
        is Verdict.Continue -> verdict.progress()
        else -> Progress.NONE
    }

    /** A failure is always written. If its details are too large, their size replaces them. */
    private fun limited(details: Json, most: Int): Json {
        val size = Text.utf8Length(details.text())
        return if (size <= most) details else plainJson(mapOf("omitted_bytes" to size))
    }
}
