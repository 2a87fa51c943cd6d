package io.runledger.exposed

import io.runledger.exposed.reap.PruneFires
import io.runledger.exposed.reap.PruneJobs
import io.runledger.exposed.reap.PruneRuns
import io.runledger.exposed.reap.PruneWorkers
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.state.PruneReport
import io.runledger.model.state.PrunedRuns
import java.time.Duration

/** Forgets what nobody will ask for any more. */
public class Retention internal constructor(context: LedgerContext) {
    private val jobs = PruneJobs(context)
    private val runs = PruneRuns(context)
    private val fires = PruneFires(context)
    private val workers = PruneWorkers(context)

    /**
     * Deletes ended jobs with their attempts, events, logs and dead letters, the longest ended first, and counts what went. One
     * call looks at no more than the request's limit, so its locks are few and short; [PruneReport.next] says where to go on.
     * Rows that another session holds are skipped and found by a later pass, so any number of processes may prune at once.
     *
     * A job and the jobs that replayed it go together, once all of them qualify. Jobs of workflow steps stay with their run. An
     * idempotency key is free again once its job is gone.
     *
     * What the database refuses to delete stays and is told ([PruneReport.refused]); the others go, in smaller transactions.
     * Refused with `job.invalid_pagination` for a position that no call answered with.
     */
    public fun prune(request: PruneRequest): PruneReport = jobs.prune(request)

    /**
     * Deletes ended workflow runs with their steps, events and jobs, the longest ended first, as [prune] does jobs. A run that
     * still holds its active key stays, and a recovery does not go before its source. An idempotency key is free again once its
     * run is gone.
     */
    public fun pruneRuns(request: PruneRunsRequest): PrunedRuns = runs.prune(request)

    /**
     * Deletes lines of schedules' histories that are older than [age], at most [limit] (1 to 1,000), and counts them. A full
     * count means that there may be more. A schedule that is moved back to an instant whose line is gone may fire for it again.
     * Histories of triggers stay: [prunePolls].
     */
    public fun pruneFires(age: Duration, limit: Int): Int = fires.prune(age, limit, ofTriggers = false)

    /**
     * Deletes lines of triggers' histories that are older than [age], as [pruneFires] does of schedules. What a poll found may
     * be found, and started, again once its line is gone.
     */
    public fun prunePolls(age: Duration, limit: Int): Int = fires.prune(age, limit, ofTriggers = true)

    /**
     * Takes workers off the list that are believed lost and have not beaten for longer than [age], at most [limit] (1 to 1,000),
     * and counts them. One that was only away puts itself on the list again.
     */
    public fun pruneWorkers(age: Duration, limit: Int): Int = workers.prune(age, limit)
}
