package io.runledger.exposed.workflow.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.context.page
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.exposed.workflow.ActiveKeys
import io.runledger.exposed.workflow.runNotFound
import io.runledger.exposed.workflow.stepNotFound
import io.runledger.exposed.workflow.workflowRun
import io.runledger.exposed.workflow.workflowStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.history.RunEvent
import io.runledger.model.history.RunMutation
import io.runledger.model.history.StepEvent
import io.runledger.model.history.WorkflowLineage
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.run.ActiveClaim
import io.runledger.model.run.OpenGate
import io.runledger.model.run.StepDependency
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.run.WorkflowStep
import io.runledger.model.run.WorkflowSummary
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID
import java.util.function.Consumer

/**
 * Reads workflow runs. Every read takes a [Scope]. The organization of the run decides whether the run is in the scope, even for
 * steps of another organization. A run outside the scope, and everything that belongs to it, counts as missing. Reads take no
 * locks and change nothing. In the caller's transaction, a read sees the same data as that transaction.
 *
 * A page has 1 to 1,000 items. Another limit, or a cursor of another listing, fails with `job.invalid_pagination`. A cursor stays
 * valid when the row at which it was made is deleted.
 */
public abstract class WorkflowReads internal constructor(private val context: LedgerContext) {
    private val lists = ListRuns(context)
    private val graphs = ReadGraph(context)

    /** The run; null if there is none in [scope]. */
    public fun find(scope: Scope, runId: UUID): WorkflowRun? =
        one("workflow/run_by_id", scope, { uuid("run_id", runId) }) { workflowRun() }

    /** The run. Fails with `workflow.run_not_found` if there is none in [scope]. */
    public fun get(scope: Scope, runId: UUID): WorkflowRun = find(scope, runId) ?: throw runNotFound(runId)

    /**
     * The run that was started with [idempotencyKey]; null if there is none. A key belongs to one organization or to the global
     * runs, so [Scope.everything] fails with `request.invalid`.
     */
    public fun findByKey(scope: Scope, workflowType: String, idempotencyKey: String): WorkflowRun? {
        requireOwner(scope)
        return one(
            "workflow/run_by_key",
            scope,
            {
                text("idempotency_key", idempotencyKey)
                text("workflow_type", workflowType)
            },
        ) { workflowRun() }
    }

    /** The newest run of exactly this type; null if there is none in [scope]. */
    public fun findLatest(scope: Scope, workflowType: String): WorkflowRun? =
        one("workflow/run_latest", scope, { text("workflow_type", workflowType) }) { workflowRun() }

    /** The run that the job [jobId] belongs to; null if there is none in [scope]. */
    public fun findByJob(scope: Scope, jobId: UUID): WorkflowRun? =
        one("workflow/run_of_job", scope, { uuid("job_id", jobId) }) { workflowRun() }

    /**
     * A page of runs, newest first. Runs that are inserted or deleted between two pages do not make other runs appear twice or
     * not at all. A page reads about as many runs as it returns, also for one organization or one type. The cost of listing live
     * runs does not depend on the number of ended runs. A prefix, metadata, statuses of ended runs and combinations may read many
     * runs that do not match; limit the creation time to bound them.
     */
    @JvmOverloads
    public fun list(scope: Scope, query: WorkflowQuery = WorkflowQuery.all()): Page<WorkflowSummary> = lists.list(scope, query)

    /** [list] with a query that is built in place: `list(scope) { it.workflowTypes("payroll").paused(true) }`. */
    public fun list(scope: Scope, query: Consumer<WorkflowQuery.Builder>): Page<WorkflowSummary> =
        list(scope, WorkflowQuery.builder().also(query::accept).build())

    /** The number of runs that match [query], whatever its limit and cursor. The cost grows with that number. */
    @JvmOverloads
    public fun count(scope: Scope, query: WorkflowQuery = WorkflowQuery.all()): Long = lists.count(scope, query)

    /** The step with this key; null if there is no such step, or no such run in [scope]. */
    public fun findStep(scope: Scope, runId: UUID, stepKey: String): WorkflowStep? = one(
        "workflow/run_step_by_key",
        scope,
        {
            uuid("run_id", runId)
            text("step_key", stepKey)
        },
    ) { workflowStep() }

    /** The step with this key. Fails with `workflow.step_not_found` if there is no such step, or no such run in [scope]. */
    public fun getStep(scope: Scope, runId: UUID, stepKey: String): WorkflowStep =
        findStep(scope, runId, stepKey) ?: throw stepNotFound(runId, stepKey)

    /**
     * A page of the steps of a run in the order of declaration, appended steps last; empty if there is no such run. Pass
     * [Page.next] as [after] to read the next page.
     */
    @JvmOverloads
    public fun steps(scope: Scope, runId: UUID, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<WorkflowStep> =
        graphs.steps(scope, runId, limit, after)

    /** All steps of a run in the order of declaration, with payloads and outputs; empty if there is no such run. */
    public fun allSteps(scope: Scope, runId: UUID): List<WorkflowStep> = graphs.allSteps(scope, runId)

    /** The number of steps of a run per status, without statuses that no step has; empty if there is no such run. */
    public fun stepCounts(scope: Scope, runId: UUID): Map<WorkflowStepStatus, Long> =
        many("workflow/run_step_counts", scope, { uuid("run_id", runId) }) {
            wire<WorkflowStepStatus>("status") to getLong("steps")
        }.toMap()

    /**
     * The number of steps of each of the runs [runIds], for a list of runs. Runs that do not exist or are outside [scope] are
     * omitted. The count of a run stops at 1,000, so the cost is bounded. Fails with `job.invalid_pagination` for more than 1,000
     * ids.
     */
    public fun stepTotals(scope: Scope, runIds: Collection<UUID>): Map<UUID, Long> {
        val distinct = runIds.distinct()
        if (distinct.isEmpty()) return emptyMap()
        JobQuery.requireLimit(distinct.size)
        return many(
            "workflow/run_step_totals",
            scope,
            {
                int("limit", MOST_STEPS_COUNTED)
                uuids("run_ids", distinct)
            },
        ) { uuid("id") to getLong("steps") }.toMap()
    }

    /** A page of the dependencies between the steps of a run, ordered by step ids; empty if there is no such run. */
    @JvmOverloads
    public fun dependencies(
        scope: Scope,
        runId: UUID,
        limit: Int = JobQuery.DEFAULT_LIMIT,
        after: String? = null,
    ): Page<StepDependency> = graphs.dependencies(scope, runId, limit, after)

    /**
     * A page of the events of a run's steps, in order; empty if there is no such run. Pass [Page.next] as [after] to read the
     * next page, or [StepEvent.cursor] of the last event read to follow a live run. The numbers of the events are final when the
     * run has ended. While the run is live, an event that is committed late is sorted in by its time and shifts the numbers of
     * later events. To follow a live run without gaps, read some of the last events again.
     */
    @JvmOverloads
    public fun events(scope: Scope, runId: UUID, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<StepEvent> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::number) ?: 0
        return many(
            "workflow/run_events",
            scope,
            {
                uuid("run_id", runId)
                long("after", last)
                int("limit", limit + 1)
            },
        ) { stepEvent() }.page(limit) { it.cursor() }
    }

    /** The last 1,000 pauses and resumptions of a run with their reasons, oldest first; empty if there is no such run. */
    public fun runEvents(scope: Scope, runId: UUID): List<RunEvent> =
        many("workflow/run_journal", scope, { lastOf(runId) }) { runEvent() }

    /** The last 1,000 changes made to a run after it started, oldest first; empty if there is no such run. */
    public fun mutations(scope: Scope, runId: UUID): List<RunMutation> =
        many("workflow/run_mutations", scope, { lastOf(runId) }) { runMutation() }

    /** The run that a run repeats, and the runs that repeat it. Fails with `workflow.run_not_found` if there is no such run. */
    public fun lineage(scope: Scope, runId: UUID): WorkflowLineage {
        val found = many(
            "workflow/run_recoveries",
            scope,
            {
                int("limit", WorkflowLineage.MAX_ENTRIES)
                uuid("run_id", runId)
            },
        ) { workflowRecoveryOrNull() }
        if (found.isEmpty()) throw runNotFound(runId)
        val (from, of) = found.filterNotNull().partition { it.recoveryRunId() == runId }
        return WorkflowLineage(from.singleOrNull(), of.sortedWith(compareBy({ it.createdAt() }, { it.recoveryRunId() })))
    }

    /**
     * A page of the gates that wait to be completed, the longest wait first. Pass [Page.next] as [after] to read the next page.
     * The cost grows with the number of open gates in all scopes that are read until the page is full, not with the number of
     * steps.
     */
    @JvmOverloads
    public fun openGates(scope: Scope, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<OpenGate> {
        JobQuery.requireLimit(limit)
        val last = after?.let(TimedCursor::read) ?: TimedCursor(Instant.EPOCH, UUID(0, 0))
        return many(
            "workflow/open_gates",
            scope,
            {
                instant("after_released_at", last.at)
                uuid("after_id", last.id)
                int("limit", limit + 1)
            },
        ) { openGate() }.page(limit) { TimedCursor(it.openedAt(), it.stepId()).text() }
    }

    /**
     * The claim of the run that holds [activeKey]; null if the key is free. A key belongs to one organization or to the global
     * runs, so [Scope.everything] fails with `request.invalid`.
     */
    public fun findActiveClaim(scope: Scope, activeKey: String): ActiveClaim? {
        requireOwner(scope)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements["workflow/active_claim"],
                {
                    text("scope", ActiveKeys.scopeOf(scope.organizationId()))
                    text("active_key", activeKey)
                },
            ) { activeClaim(scope) }
        }
        return found.singleOrNull()
    }

    /**
     * A run with its whole graph and the events of the run and its steps, read on one snapshot; in the caller's transaction, on
     * the snapshots of that transaction. Needs five statements, whatever the size of the run. `WorkflowGraph.of(story)` draws it.
     * Fails with `workflow.run_not_found` if there is no such run.
     */
    public fun story(scope: Scope, runId: UUID): WorkflowStory = graphs.story(scope, runId)

    private fun <T> one(statement: String, scope: Scope, bind: Binder.() -> Unit, read: ResultSet.() -> T): T? =
        many(statement, scope, bind, read).singleOrNull()

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

    private fun requireOwner(scope: Scope) {
        if (scope.kind() == Scope.Kind.EVERYTHING) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "A key is unique within an organization or among global runs: look it up in one of those scopes.",
            )
        }
    }

    private fun Binder.lastOf(runId: UUID) {
        uuid("run_id", runId)
        int("limit", JobQuery.MAX_LIMIT)
    }

    private companion object {
        const val MOST_STEPS_COUNTED = 1_000
    }
}
