package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import java.sql.Connection
import java.sql.ResultSet
import java.util.UUID

/** The statements that end attempts: one for plain successes, one for every kind of ending. */
internal class EndAttempts(private val context: LedgerContext) {
    /**
     * Ends those of [endings] whose lease is still held and whose jobs are workflow steps, or are not, as [steps] says. Returns
     * the ended attempts by lease id. Skips rows that another transaction holds, except in the caller's transaction.
     */
    fun end(connection: Connection, endings: Collection<AttemptEnding>, steps: Boolean): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val byLease = endings.associateBy { it.lease.leaseId() }
        return connection.rows(context.lockingStatement("settle/settle"), { bind(byLease.values.toList(), steps) }) {
            val lease = uuid("lease_id")
            lease to settledJob(byLease.getValue(lease))
        }.toMap()
    }

    /** As [end], for plain successes only. */
    fun succeed(connection: Connection, endings: Collection<AttemptEnding>, steps: Boolean): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val byLease = endings.associateBy { it.lease.leaseId() }
        return connection.rows(
            context.lockingStatement(
                if (connection.metaData.databaseMajorVersion < RETURNING_OLD) "settle/succeed_before_18" else "settle/succeed",
            ),
            {
                uuids("job_ids", byLease.values.map { it.lease.jobId() })
                uuids("lease_ids", byLease.keys.toList())
                jsons("outputs", byLease.values.toList().sparse { it.output })
                bool("is_step", steps)
            },
        ) { uuid("lease_id") }.associateWith { SettledJob(byLease.getValue(it).lease, Result.SUCCEEDED, null) }
    }

    private companion object {
        /** The first version of PostgreSQL whose RETURNING can refer to the replaced row version. */
        const val RETURNING_OLD = 18
    }

    private fun Binder.bind(endings: List<AttemptEnding>, steps: Boolean) {
        uuids("job_ids", endings.map { it.lease.jobId() })
        uuids("lease_ids", endings.map { it.lease.leaseId() })
        texts("verdicts", endings.map { it.verdict.kind().name })
        wires("outcomes", endings.map { it.verdict.attemptOutcome() })
        texts("reasons", endings.map { it.reason })
        texts("error_codes", endings.map { it.failure?.code() })
        texts("error_messages", endings.map { it.failure?.message() })
        jsons("details", endings.map { it.details })
        jsons("outputs", endings.map { it.output })
        jsons("payloads", endings.map { it.payload })
        jsons("checkpoints", endings.map { it.checkpoint })
        longs("delays_us", endings.map { it.delayMicros })
        longs("not_before_us", endings.map { it.notBeforeMicros })
        instants("not_before", endings.map { it.notBefore })
        longs("progress_done", endings.map { it.progress.done() })
        longs("progress_total", endings.map { it.progress.total() })
        bool("is_step", steps)
        text("counts_code", ErrorCode.INVALID_COMPLETION_PROGRESS.wire())
        text("counts_message", "The final done count exceeds the total count: make them fit the counts reported before.")
        text("runs_code", ErrorCode.JOB_STATE.wire())
        text("runs_message", "The job has no run numbers left: enqueue a new job instead of continuing this one.")
    }

    private fun ResultSet.settledJob(ending: AttemptEnding): SettledJob {
        val result = when (Verdict.Kind.valueOf(getString("decided"))) {
            Verdict.Kind.SUCCEED -> Result.SUCCEEDED
            Verdict.Kind.RETRY -> Result.RETRY_SCHEDULED
            Verdict.Kind.DEAD_LETTER -> Result.DEAD_LETTERED
            Verdict.Kind.CONTINUE -> Result.CONTINUED
            Verdict.Kind.SNOOZE -> Result.SNOOZED
            Verdict.Kind.CANCEL -> Result.CANCELED
        }
        val nextRunAt = if (getString("status") == JobStatus.PENDING.wire()) instant("next_run_at") else null
        return SettledJob(ending.lease, result, nextRunAt, ending.mistake)
    }
}
