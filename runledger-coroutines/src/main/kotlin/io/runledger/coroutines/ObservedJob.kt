package io.runledger.coroutines

import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import java.util.UUID

/** The attempt that an observer's event is about. */
public class ObservedJob internal constructor(
    /** The job. */
    @get:JvmName("jobId") public val jobId: UUID,
    /** The type of the job. */
    @get:JvmName("jobType") public val jobType: String,
    /** The organization of the job, or null if it belongs to none. */
    @get:JvmName("organizationId") public val organizationId: UUID?,
    /** The number of the job's run. */
    @get:JvmName("runNumber") public val runNumber: Int,
    /** The number of the attempt within the run. */
    @get:JvmName("attempt") public val attempt: Int,
    /** The worker that ran it. */
    @get:JvmName("workerId") public val workerId: String,
    /** The schema of the job's ledger. */
    @get:JvmName("ledger") public val ledger: String,
) {
    override fun toString(): String = "$jobType $jobId (run $runNumber, attempt $attempt)"

    internal companion object {
        fun of(job: ClaimedJob, ledger: String): ObservedJob = of(job.lease(), job.jobType(), job.organizationId(), ledger)

        private fun of(lease: Lease, jobType: String, organizationId: UUID?, ledger: String): ObservedJob =
            ObservedJob(lease.jobId(), jobType, organizationId, lease.runNumber(), lease.attempt(), lease.workerId(), ledger)
    }
}
