package io.runledger.exposed.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
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
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobStory
import io.runledger.model.history.StepTransition
import io.runledger.model.job.Attempt
import io.runledger.model.job.Job
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryTerms
import java.sql.ResultSet
import java.util.UUID
import java.util.function.Consumer

/**
 * Reads jobs. Every read takes a [Scope]; jobs outside it do not exist for the read. Reads take no locks and change nothing, so
 * readers and workers never wait for each other. In a caller's transaction a read uses the snapshots of that transaction.
 */
public abstract class JobReads internal constructor(private val context: LedgerContext) {
    private val lists = ListJobs(context)
    private val stories = ReadStory(context)
    private val explanations = ExplainJob(context)

    /** The job, or null if there is none in [scope]. */
    public fun find(scope: Scope, id: UUID): Job? = one("read/job_by_id", scope) { uuid("job_id", id) }

    /** The job. Throws `job.not_found` if there is none in [scope]. */
    public fun get(scope: Scope, id: UUID): Job = find(scope, id) ?: throw jobNotFound(id)

    /**
     * The job enqueued with [idempotencyKey], or null if there is none. A key belongs to one organization or to the global jobs,
     * so [Scope.everything] throws `request.invalid`.
     */
    public fun findByKey(scope: Scope, jobType: String, idempotencyKey: String): Job? {
        if (scope.kind() == Scope.Kind.EVERYTHING) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "An idempotency key is unique within an organization or among global jobs: look it up in one of those scopes.",
            )
        }
        return one("read/job_by_key", scope) {
            text("idempotency_key", idempotencyKey)
            text("job_type", jobType)
        }
    }

    /**
     * A page of jobs, newest first or in the order of [JobQuery.order]. Jobs that are inserted or deleted between two pages
     * neither repeat nor hide others, and a cursor stays valid after its job is deleted. A page reads about as many jobs as
     * it returns, also for one organization and for the dead letters of a type, and for jobs that failed with a code or have
     * a key. Filters by other statuses, types, payloads and the global scope may skip many jobs, and a payload filter reads
     * the payload of each. A filter by time limits their number, to a precision of one day, and [JobQuery.maxRead] to what
     * the caller wants: then a page may have fewer jobs than the limit although [Page.next] is not null. The waiting jobs of
     * a type have an index in the order of claims.
     *
     * Throws `job.invalid_pagination` if the cursor is invalid or belongs to another order.
     */
    @JvmOverloads
    public fun list(scope: Scope, query: JobQuery = JobQuery.all()): Page<JobSummary> = lists.list(scope, query)

    /** [list] with a query that is built in place: `list(scope) { it.statuses(JobStatus.PENDING).limit(20) }`. */
    public fun list(scope: Scope, query: Consumer<JobQuery.Builder>): Page<JobSummary> =
        list(scope, JobQuery.builder().also(query::accept).build())

    /**
     * The statuses of many jobs, by id. Ids that do not exist and ids outside [scope] are omitted; repeated ids count once.
     * Throws `job.invalid_pagination` for more than 1,000 ids.
     */
    public fun statuses(scope: Scope, ids: Collection<UUID>): Map<UUID, JobStatus> {
        val distinct = ids.distinct()
        if (distinct.isEmpty()) return emptyMap()
        if (distinct.size > JobQuery.MAX_LIMIT) {
            throw ErrorCode.INVALID_PAGINATION.exception(
                "${distinct.size} ids are given: give at most ${JobQuery.MAX_LIMIT} per call.",
            )
        }
        return many("read/job_statuses", scope, { uuids("job_ids", distinct) }) {
            uuid("id") to wire<JobStatus>("status")
        }.toMap()
    }

    /**
     * The numbers of waiting, running and dead-lettered jobs: [JobStatus.PENDING], [JobStatus.LEASED] and
     * [JobStatus.DEAD_LETTERED], zeros included. The cost depends on the number of such jobs, not on the number of ended ones.
     */
    public fun counts(scope: Scope): Map<JobStatus, Long> = context.transactions.statement { connection ->
        connection.rows(context.statements.scoped("read/job_counts", scope), { scope(scope) }) {
            wire<JobStatus>("status") to getLong("jobs")
        }
    }.toMap()

    /**
     * A page of the events of a job, in order. Empty if there is no such job. To read the next page, pass [Page.next] as [after].
     * To follow a job that has not ended, pass [JobEvent.cursor] of the last event read. Throws `job.invalid_pagination` unless
     * [limit] is 1 to 1,000 and [after] is such a cursor.
     */
    @JvmOverloads
    public fun events(scope: Scope, id: UUID, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<JobEvent> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::number) ?: 0
        return many(
            "read/job_events",
            scope,
            {
                uuid("job_id", id)
                long("after", last)
                int("limit", limit + 1)
            },
        ) { jobEvent() }.page(limit) { it.cursor() }
    }

    /** The last 1,000 ended attempts of a job, oldest first; empty if there is no such job. [Job.openAttempt] still runs. */
    public fun attempts(scope: Scope, id: UUID): List<Attempt> = many(
        "read/job_attempts",
        scope,
        {
            uuid("job_id", id)
            int("limit", JobStory.MAX_ENTRIES)
        },
    ) { attempt() }

    /**
     * The current retry terms of the job: its own policy, that of its type, or the default. Throws `job.not_found`, and
     * `job.invalid_retry_policy` if the stored policy was edited by hand and is invalid; workers then use the default.
     */
    public fun retryTerms(scope: Scope, id: UUID): RetryTerms =
        many("read/job_retry_terms", scope, { uuid("job_id", id) }) { retryTerms() }.singleOrNull() ?: throw jobNotFound(id)

    /**
     * The last 1,000 transitions of a machine from step to step, oldest first; empty if the job is not a machine, has no
     * transitions or does not exist.
     */
    public fun path(scope: Scope, id: UUID): List<StepTransition> = many(
        "read/job_path",
        scope,
        {
            uuid("job_id", id)
            int("limit", JobStory.MAX_ENTRIES)
        },
    ) { stepTransition() }

    /**
     * All data of a job from one snapshot, or from the snapshots of a caller's transaction. Runs a fixed number of statements.
     * Throws `job.not_found`.
     */
    public fun story(scope: Scope, id: UUID): JobStory = stories.story(scope, id)

    /**
     * The reasons why the job is not running now, the most important first; never empty. Reads a bounded part of the queue and
     * counts the jobs ahead that are in [scope]. Throws `job.not_found`.
     */
    public fun why(scope: Scope, id: UUID): List<JobReason> = explanations.why(scope, id)

    private fun one(statement: String, scope: Scope, bind: Binder.() -> Unit): Job? =
        many(statement, scope, bind) { job() }.singleOrNull()

    private fun <T> many(statement: String, scope: Scope, bind: Binder.() -> Unit, read: ResultSet.() -> T): List<T> =
        context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped(statement, scope),
                {
                    bind()
                    scope(scope)
                },
                read,
            )
        }
}

internal fun jobNotFound(id: UUID): RunledgerException = ErrorCode.JOB_NOT_FOUND.exception(
    "There is no job $id in this scope: check the id and the organization of the scope.",
)
