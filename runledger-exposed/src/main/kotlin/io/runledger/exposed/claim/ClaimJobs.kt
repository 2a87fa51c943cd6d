package io.runledger.exposed.claim

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.seconds
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import java.sql.ResultSet

/** Leases due jobs: one statement, no transaction around it. */
internal class ClaimJobs(private val context: LedgerContext) {
    fun claim(request: ClaimRequest): List<ClaimedJob> {
        if (request.jobTypes().isEmpty()) return emptyList()
        val seconds = request.lease().toSeconds().toInt()
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["claim"],
                {
                    texts(request.jobTypes())
                    int(request.limit())
                    int(request.limit())
                    text(request.workerId())
                    int(seconds)
                    int(seconds)
                    text(request.origin().wire())
                },
            ) { claimedJob() }
        }
    }

    private fun ResultSet.claimedJob() = ClaimedJob(
        Lease(uuid("id"), getInt("run_number"), getInt("attempt"), getString("worker_id"), uuid("lease_id")),
        getString("job_type"),
        uuidOrNull("organization_id"),
        getInt("priority"),
        getInt("max_attempts"),
        getInt("interruptions"),
        seconds("timeout_seconds"),
        json("payload"),
        jsonOrNull("checkpoint"),
        jsonOrNull("effective_retry_policy"),
        instant("leased_at"),
        instant("lease_expires_at"),
        uuidOrNull("step_id")?.let { ClaimedJob.ClaimedStep(uuid("workflow_run_id"), it, getString("step_key")) },
    )
}
