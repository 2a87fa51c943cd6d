package io.runledger.coroutines

import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import java.util.UUID

/** Which attempt at which job an observer is told about. */
public class ObservedJob internal constructor(
    /** The job. */
    @get:JvmName("jobId") public val jobId: UUID,
    /** What kind of job it is. */
    @get:JvmName("jobType") public val jobType: String,
    /** Whose job it is, or null for one that belongs to no organization. */
    @get:JvmName("organizationId") public val organizationId: UUID?,
    /** Which run of the job. */
    @get:JvmName("runNumber") public val runNumber: Int,
    /** Which attempt of the run. */
    @get:JvmName("attempt") public val attempt: Int,
    /** Who ran it. */
    @get:JvmName("workerId") public val workerId: String,
    /** The schema of the ledger it stands in. */
    @get:JvmName("ledger") public val ledger: String,
) {
    override fun toString(): String = "$jobType $jobId (run $runNumber, attempt $attempt)"

    internal companion object {
        fun of(job: ClaimedJob, ledger: String): ObservedJob = of(job.lease(), job.jobType(), job.organizationId(), ledger)

        private fun of(lease: Lease, jobType: String, organizationId: UUID?, ledger: String): ObservedJob =
            ObservedJob(lease.jobId(), jobType, organizationId, lease.runNumber(), lease.attempt(), lease.workerId(), ledger)
    }
}
