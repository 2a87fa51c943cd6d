package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.AwaitedJob
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.sql.ResultSet
import java.util.UUID

/** Reads what the limits, the order and the shares of a due job wait for. */
internal class ExplainFlow(private val context: LedgerContext) {
    fun flow(connection: Connection, scope: Scope, job: Job): FlowState {
        val flow = job.flow()
        val hasLimits = flow.queue() != null || flow.limitKeys().isNotEmpty()
        return FlowState(
            if (hasLimits) connection.limits(scope, job.id()) else emptyList(),
            if (flow.orderKey() != null) connection.order(scope, job.id()) else null,
            if (flow.shareKey() != null) connection.shares(scope, job.id()) else null,
        )
    }

    private fun Connection.limits(scope: Scope, id: UUID): List<StoppedLimit> = rows(
        context.statements.scoped("read/why_limits", scope),
        {
            uuid("job_id", id)
            int("holders", JobReason.MOST_JOBS)
            scope(scope)
        },
    ) { stoppedLimit(scope) to holder() }
        .groupBy({ it.first.key }, { it })
        .map { (_, rows) -> rows.first().first.heldBy(rows.mapNotNull { it.second }) }

    /** Who has changed a limit belongs to the operators, and the caller may be a tenant. */
    private fun ResultSet.stoppedLimit(scope: Scope) = StoppedLimit(
        getString("limit_key"),
        intOrNull("permits"),
        getBoolean("is_reached"),
        getLong("in_use"),
        instantOrNull("begin_at"),
        instantOrNull("changed_at"),
        getString("changed_by")?.takeIf { scope.kind() == Scope.Kind.EVERYTHING },
        emptyList(),
    )

    private fun ResultSet.holder(): AwaitedJob? =
        uuidOrNull("id")?.let { AwaitedJob(it, JobStatus.LEASED, getString("worker_id"), instantOrNull("lease_expires_at")) }

    private fun Connection.order(scope: Scope, id: UUID): HeldOrder? = row(
        context.statements.scoped("read/why_order", scope),
        {
            uuid("job_id", id)
            int("limit", Queue.MOST_AHEAD)
            scope(scope)
        },
    ) {
        HeldOrder(
            getString("order_key"),
            getInt("of_scope"),
            getInt("seen") < Queue.MOST_AHEAD,
            wire("status"),
            instantOrNull("next_run_at").takeUnless { getBoolean("is_due") },
            getBoolean("is_retry"),
            getBoolean("is_paused"),
            awaited(),
        )
    }

    /** Null for a job outside the scope. */
    private fun ResultSet.awaited(): AwaitedJob? = uuidOrNull("id")?.let { id ->
        val status = wire<JobStatus>("status")
        if (status == JobStatus.LEASED) {
            AwaitedJob(id, status, getString("worker_id"), instantOrNull("lease_expires_at"))
        } else {
            AwaitedJob(id, status, null, null)
        }
    }

    private fun Connection.shares(scope: Scope, id: UUID): OtherShares = checkNotNull(
        row(
            context.statements.scoped("read/why_shares", scope),
            {
                uuid("job_id", id)
                int("limit", OtherShares.MOST_SEEN)
                scope(scope)
            },
        ) { OtherShares(getInt("of_scope"), getInt("seen") < OtherShares.MOST_SEEN) },
    )
}
