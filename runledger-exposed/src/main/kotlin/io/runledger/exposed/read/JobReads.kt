package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.RetryTerms
import io.runledger.model.spec.JobQuery
import io.runledger.model.state.Attempt
import io.runledger.model.state.Job
import io.runledger.model.state.JobEvent
import io.runledger.model.state.JobReason
import io.runledger.model.state.JobStatus
import io.runledger.model.state.JobStory
import io.runledger.model.state.JobSummary
import io.runledger.model.state.Page
import io.runledger.model.state.Scope
import io.runledger.model.state.StepTransition
import java.sql.ResultSet
import java.util.UUID

/**
 * Looks at jobs. Every read names its [Scope]; a job outside is not there. Nothing is locked and nothing is changed, so a
 * reader never waits for a worker nor a worker for a reader. Inside a caller's transaction a read sees what that transaction
 * sees.
 */
public abstract class JobReads internal constructor(private val context: LedgerContext) {
    private val lists = ListJobs(context)
    private val stories = ReadStory(context)
    private val explanations = ExplainJob(context)

    /** The job, or null when there is none in [scope]. */
    public fun find(scope: Scope, id: UUID): Job? = one("job_by_id", scope) { uuid(id) }

    /** The job; refused with `job.not_found` when there is none in [scope]. */
    public fun get(scope: Scope, id: UUID): Job = find(scope, id) ?: throw jobNotFound(id)

    /**
     * The job enqueued with [idempotencyKey], or null when there is none. Keys belong to one organization or to the global
     * jobs, so [Scope.everything] is refused with `request.invalid`.
     */
    public fun findByKey(scope: Scope, jobType: String, idempotencyKey: String): Job? {
        if (scope.kind() == Scope.Kind.EVERYTHING) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "An idempotency key is unique within an organization or among global jobs: look it up in one of those scopes.",
            )
        }
        return one("job_by_key", scope) {
            text(idempotencyKey)
            text(jobType)
        }
    }

    /**
     * A page of jobs, newest first. Jobs that come or go between two pages neither repeat nor hide others, and a cursor
     * outlives the job it was made at. A page reads about as many jobs as it shows, also of one organization, or the dead
     * letters of a type; other statuses, types, the global scope and payloads may make it pass over many jobs, and a payload
     * makes it look into each of them. Times bound how many, as far as ids tell the time: to a day.
     *
     * Refused with `job.invalid_pagination` for a cursor that is none.
     */
    @JvmOverloads
    public fun list(scope: Scope, query: JobQuery = JobQuery.all()): Page<JobSummary> = lists.list(scope, query)

    /**
     * Where many jobs stand, by id. Ids that do not exist and ids outside [scope] are left out alike; repeated ones count once.
     * More than 1,000 are refused with `job.invalid_pagination`.
     */
    public fun statuses(scope: Scope, ids: Collection<UUID>): Map<UUID, JobStatus> {
        val distinct = ids.distinct()
        if (distinct.isEmpty()) return emptyMap()
        if (distinct.size > JobQuery.MAX_LIMIT) {
            throw ErrorCode.INVALID_PAGINATION.exception(
                "${distinct.size} ids are asked for: ask for at most ${JobQuery.MAX_LIMIT} at a time.",
            )
        }
        return many("job_statuses", scope, { uuids(distinct) }, {}) { uuid("id") to wire<JobStatus>("status") }.toMap()
    }

    /**
     * How many jobs wait, run and have given up: [JobStatus.PENDING], [JobStatus.LEASED] and [JobStatus.DEAD_LETTERED], zero
     * included. Costs as much as there are such jobs, however many have ended.
     */
    public fun counts(scope: Scope): Map<JobStatus, Long> = context.transactions.statement { connection ->
        connection.rows(context.statements.scoped("job_counts", scope), { repeat(COUNTED) { scope(scope) } }) {
            wire<JobStatus>("status") to getLong("jobs")
        }
    }.toMap()

    /**
     * What happened to a job, in order, after the event numbered [after]; empty when there is nothing more or no such job.
     * Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000.
     */
    @JvmOverloads
    public fun events(scope: Scope, id: UUID, after: Long = 0, limit: Int = JobQuery.MAX_LIMIT): List<JobEvent> {
        JobQuery.requireLimit(limit)
        return many(
            "job_events",
            scope,
            {
                uuid(id)
                uuid(id)
            },
            {
                long(after)
                int(limit)
            },
        ) { jobEvent() }
    }

    /** The last 1,000 ended attempts of a job, oldest first; empty for no such job. One that runs is its [Job.openAttempt]. */
    public fun attempts(scope: Scope, id: UUID): List<Attempt> = many(
        "job_attempts",
        scope,
        {
            uuid(id)
            uuid(id)
        },
        { int(JobStory.MAX_ENTRIES) },
    ) { attempt() }

    /**
     * How the job's failures are retried as things stand: by its own policy, that of its type, or the standard one. Refused with
     * `job.not_found`, and with `job.invalid_retry_policy` when somebody edited the policy into something that is none; workers
     * then go by the standard one.
     */
    public fun retryTerms(scope: Scope, id: UUID): RetryTerms =
        many("job_retry_terms", scope, { uuid(id) }, {}) { retryTerms() }.singleOrNull() ?: throw jobNotFound(id)

    /**
     * How a machine came to where it stands: its last 1,000 moves from step to step, oldest first; empty for a job that is no
     * machine or has not moved, and for no such job.
     */
    public fun path(scope: Scope, id: UUID): List<StepTransition> = many(
        "job_path",
        scope,
        {
            uuid(id)
            uuid(id)
        },
        { int(JobStory.MAX_ENTRIES) },
    ) { stepTransition() }

    /**
     * Everything there is about a job, as of one moment; in a caller's transaction as of its own snapshots. A fixed number of
     * statements. Refused with `job.not_found`.
     */
    public fun story(scope: Scope, id: UUID): JobStory = stories.story(scope, id)

    /**
     * Why the job is not running now, the weightiest reason first; never empty. Looks at a bounded part of the queue, and of the
     * jobs before it counts those in [scope]. Refused with `job.not_found`.
     */
    public fun why(scope: Scope, id: UUID): List<JobReason> = explanations.why(scope, id)

    private fun one(statement: String, scope: Scope, bind: Binder.() -> Unit): Job? =
        many(statement, scope, bind, {}) { job() }.singleOrNull()

    private fun <T> many(
        statement: String,
        scope: Scope,
        before: Binder.() -> Unit,
        after: Binder.() -> Unit,
        read: ResultSet.() -> T,
    ): List<T> = context.transactions.statement { connection ->
        connection.rows(
            context.statements.scoped(statement, scope),
            {
                before()
                scope(scope)
                after()
            },
            read,
        )
    }

    private companion object {
        const val COUNTED = 3
    }
}

internal fun jobNotFound(id: UUID): RunledgerException = ErrorCode.JOB_NOT_FOUND.exception(
    "There is no job $id in this scope: check the id, and whose job it is.",
)
