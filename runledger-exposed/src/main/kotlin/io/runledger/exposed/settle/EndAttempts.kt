package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.policy.Verdict
import io.runledger.model.state.JobStatus
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.sql.Connection
import java.sql.ResultSet
import java.util.UUID

/** The statements that end attempts: one for plain successes, one for all of them. */
internal class EndAttempts(private val context: LedgerContext) {
    /**
     * Ends those of [endings] whose jobs are, or are not, [steps] of workflows, and whose lease is still held. Answers by lease
     * id with what it ended. Outside of a caller's transaction it leaves out rows that another transaction holds.
     */
    fun end(connection: Connection, endings: Collection<Ending>, steps: Boolean): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val byLease = endings.associateBy { it.lease.leaseId() }
        return connection.rows(context.lockingStatement("settle"), { bind(byLease.values.toList(), steps) }) {
            val lease = uuid("lease_id")
            lease to settledJob(byLease.getValue(lease))
        }.toMap()
    }

    /** As [end], for plain successes only. */
    fun succeed(connection: Connection, endings: Collection<Ending>, steps: Boolean): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val byLease = endings.associateBy { it.lease.leaseId() }
        return connection.rows(
            context.lockingStatement(
                if (connection.metaData.databaseMajorVersion < RETURNING_OLD) "succeed_before_18" else "succeed",
            ),
            {
                uuids(byLease.values.map { it.lease.jobId() })
                uuids(byLease.keys.toList())
                jsons(byLease.values.toList().sparse { it.output })
                bool(steps)
            },
        ) { uuid("lease_id") }.associateWith { SettledJob(byLease.getValue(it).lease, Result.SUCCEEDED, null) }
    }

    private companion object {
        /** The first version of PostgreSQL that answers with what an update replaces. */
        const val RETURNING_OLD = 18
    }

    private fun Binder.bind(endings: List<Ending>, steps: Boolean) {
        uuids(endings.map { it.lease.jobId() })
        uuids(endings.map { it.lease.leaseId() })
        texts(endings.map { it.verdict.kind().name })
        wires(endings.map { it.verdict.attemptOutcome() })
        texts(endings.map { it.reason })
        texts(endings.map { it.failure?.code() })
        texts(endings.map { it.failure?.message() })
        jsons(endings.map { it.details })
        jsons(endings.map { it.output })
        jsons(endings.map { it.payload })
        jsons(endings.map { it.checkpoint })
        longs(endings.map { it.delayMicros })
        longs(endings.map { it.notBeforeMicros })
        instants(endings.map { it.notBefore })
        longs(endings.map { it.progress.done() })
        longs(endings.map { it.progress.total() })
        bool(steps)
        text(ErrorCode.INVALID_COMPLETION_PROGRESS.wire())
        text(ErrorCode.JOB_STATE.wire())
        text("More would be done than there is in all: make the final counts fit what was reported before.")
        text("The job has used up its run numbers: enqueue a new job instead of continuing this one.")
    }

    private fun ResultSet.settledJob(ending: Ending): SettledJob {
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
