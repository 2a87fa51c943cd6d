package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.reap.PruneActions
import io.runledger.exposed.reap.PruneFires
import io.runledger.exposed.reap.PruneJobs
import io.runledger.exposed.reap.PruneLimitKeys
import io.runledger.exposed.reap.PruneRuns
import io.runledger.exposed.reap.PruneWorkers
import io.runledger.model.job.JobStatus
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.retention.PrunedRuns
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration

/** Deletes old data. */
public class Retention internal constructor(context: LedgerContext) {
    private val jobs = PruneJobs(context)
    private val runs = PruneRuns(context)
    private val fires = PruneFires(context)
    private val workers = PruneWorkers(context)
    private val actions = PruneActions(context)
    private val limitKeys = PruneLimitKeys(context)

    /**
     * Deletes ended jobs with their attempts, events, logs and dead letters, and reports how many it deleted. The jobs
     * that ended first are deleted first. One call examines at most the request's limit of jobs, so it takes few locks and
     * holds them briefly. To continue, pass [PruneReport.next]. Rows that another session has locked are skipped and deleted
     * by a later call, so any number of processes may prune at once.
     *
     * A job and its replays are deleted together, once all of them qualify. Jobs of workflow steps are deleted with their run.
     * When a job is deleted, its idempotency key can be used again.
     *
     * If the database refuses to delete a job, the job stays and is listed in [PruneReport.refused]. The other jobs are
     * deleted in smaller transactions. Refused with `job.invalid_pagination` if the position was not returned by an earlier
     * call.
     */
    public fun prune(request: PruneRequest): PruneReport = jobs.prune(request)

    /**
     * Deletes jobs that succeeded more than [age] ago, as [prune] does. One call examines at most [limit] jobs, 1 to 10,000,
     * beginning with those that ended first.
     */
    @JvmOverloads
    public fun pruneSucceeded(age: Duration, limit: Int = PruneRequest.MAX_LIMIT): PruneReport =
        prune(PruneRequest.of(age, setOf(JobStatus.SUCCEEDED), limit))

    /**
     * Deletes ended workflow runs with their steps, events and jobs, as [prune] does for jobs. A run that still holds its
     * active key stays, and a recovery is not deleted before its source. When a run is deleted, its idempotency key can be
     * used again.
     */
    public fun pruneRuns(request: PruneRunsRequest): PrunedRuns = runs.prune(request)

    /**
     * Deletes runs that succeeded more than [age] ago, as [pruneRuns] does. One call examines at most [limit] runs, 1 to
     * 1,000, beginning with those that ended first.
     */
    @JvmOverloads
    public fun pruneSucceededRuns(age: Duration, limit: Int = PruneRunsRequest.MAX_LIMIT): PrunedRuns =
        pruneRuns(PruneRunsRequest.of(age, setOf(WorkflowRunStatus.SUCCEEDED), limit))

    /**
     * Deletes history entries of schedules that are older than [age], at most [limit] (1 to 1,000), and returns their number.
     * If the number equals the limit, there may be more. If a schedule is moved back to an instant whose entry is deleted, it
     * may fire for that instant again. To delete history entries of triggers, use [prunePolls].
     */
    public fun pruneFires(age: Duration, limit: Int): Int = fires.prune(age, limit, ofTriggers = false)

    /**
     * Deletes history entries of triggers that are older than [age], as [pruneFires] does for schedules. If a later poll finds
     * an item whose entry is deleted, the item may start again.
     */
    public fun prunePolls(age: Duration, limit: Int): Int = fires.prune(age, limit, ofTriggers = true)

    /**
     * Removes lost workers whose last heartbeat is older than [age] from the list, at most [limit] (1 to 1,000), and returns
     * their number. A worker that is still alive registers again.
     */
    public fun pruneWorkers(age: Duration, limit: Int): Int = workers.prune(age, limit)

    /**
     * Forgets keys of limits and orders that claims have used first more than [age] ago, at most [limit] (1 to 10,000), and
     * returns their number. A key whose rate is still spent stays. A key that is used again is made again.
     */
    public fun pruneLimitKeys(age: Duration, limit: Int): Int = limitKeys.prune(age, limit)

    /**
     * Deletes the records of operators' actions that ended more than [age] ago, the oldest first and at most [limit] (1 to
     * 10,000), and returns their number. Records without an end are kept for at least a day. Workers delete none. The key of a
     * deleted record can be used again, and its action cannot be undone. The histories of jobs still name the actor.
     */
    public fun pruneActions(age: Duration, limit: Int): Int = actions.prune(age, limit)
}
