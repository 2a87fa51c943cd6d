package io.runledger.coroutines

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
    /** The headers of the job. */
    @get:JvmName("headers") public val headers: Map<String, String>,
) {
    override fun toString(): String = "$jobType $jobId (run $runNumber, attempt $attempt)"

    internal companion object {
        fun of(job: ClaimedJob, ledger: String): ObservedJob {
            val lease = job.lease()
            return ObservedJob(
                lease.jobId(),
                job.jobType(),
                job.organizationId(),
                lease.runNumber(),
                lease.attempt(),
                lease.workerId(),
                ledger,
                job.headers(),
            )
        }
    }
}
