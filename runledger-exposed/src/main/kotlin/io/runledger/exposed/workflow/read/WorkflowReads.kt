package io.runledger.exposed.workflow.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.read.page
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.wire
import io.runledger.exposed.workflow.ActiveKeys
import io.runledger.exposed.workflow.runNotFound
import io.runledger.exposed.workflow.workflowRun
import io.runledger.exposed.workflow.workflowStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.JobQuery
import io.runledger.model.spec.WorkflowQuery
import io.runledger.model.state.ActiveClaim
import io.runledger.model.state.OpenGate
import io.runledger.model.state.Page
import io.runledger.model.state.RunEvent
import io.runledger.model.state.RunMutation
import io.runledger.model.state.Scope
import io.runledger.model.state.StepDependency
import io.runledger.model.state.StepEvent
import io.runledger.model.state.WorkflowLineage
import io.runledger.model.state.WorkflowRun
import io.runledger.model.state.WorkflowStep
import io.runledger.model.state.WorkflowStepStatus
import io.runledger.model.state.WorkflowStory
import io.runledger.model.state.WorkflowSummary
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID

/**
 * Looks at workflow runs. Every read names its [Scope], and the organization of the run decides, also for steps that run for
 * another one; a run outside is not there, nor is anything of it. Nothing is locked and nothing is changed. Inside a caller's
 * transaction a read sees what that transaction sees.
 *
 * Pages hold 1 to 1,000 items; another limit, and a cursor that the listing did not make, is refused with
 * `job.invalid_pagination`. A cursor outlives the row it was made at.
 */
public abstract class WorkflowReads internal constructor(private val context: LedgerContext) {
    private val lists = ListRuns(context)
    private val graphs = ReadGraph(context)

    /** The run, or null when there is none in [scope]. */
    public fun find(scope: Scope, runId: UUID): WorkflowRun? = one("run_by_id", scope, { uuid(runId) }) { workflowRun() }

    /** The run; refused with `workflow.run_not_found` when there is none in [scope]. */
    public fun get(scope: Scope, runId: UUID): WorkflowRun = find(scope, runId) ?: throw runNotFound(runId)

    /**
     * The run started with [idempotencyKey], or null when there is none. Keys belong to one organization or to the global
     * runs, so [Scope.everything] is refused with `request.invalid`.
     */
    public fun findByKey(scope: Scope, workflowType: String, idempotencyKey: String): WorkflowRun? {
        requireOwner(scope)
        return one(
            "run_by_key",
            scope,
            {
                text(idempotencyKey)
                text(workflowType)
            },
        ) { workflowRun() }
    }

    /** The newest run of exactly this type, or null when there is none in [scope]. */
    public fun latest(scope: Scope, workflowType: String): WorkflowRun? =
        one("run_latest", scope, { text(workflowType) }) { workflowRun() }

    /** The run whose step [jobId] is the job of, or null when there is none in [scope]. */
    public fun runOfJob(scope: Scope, jobId: UUID): WorkflowRun? = one("run_of_job", scope, { uuid(jobId) }) { workflowRun() }

    /**
     * A page of runs, newest first. Runs that come or go between two pages neither repeat nor hide others. A page reads about
     * as many runs as it shows, also those of one organization or of one type, and live runs are found however many have
     * ended; a prefix, metadata, statuses of ended runs and combinations may make it pass over many runs, which times bound.
     */
    @JvmOverloads
    public fun list(scope: Scope, query: WorkflowQuery = WorkflowQuery.all()): Page<WorkflowSummary> = lists.list(scope, query)

    /** How many runs all pages of [query] hold together; its limit and cursor do not matter. Costs as much as there are. */
    @JvmOverloads
    public fun count(scope: Scope, query: WorkflowQuery = WorkflowQuery.all()): Long = lists.count(scope, query)

    /** The step with this key, or null when there is no such step, or no such run in [scope]. */
    public fun step(scope: Scope, runId: UUID, stepKey: String): WorkflowStep? = one(
        "run_step_by_key",
        scope,
        {
            uuid(runId)
            text(stepKey)
        },
    ) { workflowStep() }

    /**
     * A page of a run's steps in the order declared, appended ones last; empty for no such run. Pass [Page.next] as [after] to
     * go on.
     */
    @JvmOverloads
    public fun steps(scope: Scope, runId: UUID, limit: Int = JobQuery.MAX_LIMIT, after: String? = null): Page<WorkflowStep> =
        graphs.steps(scope, runId, limit, after)

    /** All steps of a run in the order declared, payloads and outputs included; empty for no such run. */
    public fun allSteps(scope: Scope, runId: UUID): List<WorkflowStep> = graphs.allSteps(scope, runId)

    /** How many steps of a run stand where; statuses that none has are left out, and so is everything for no such run. */
    public fun stepCounts(scope: Scope, runId: UUID): Map<WorkflowStepStatus, Long> =
        many("run_step_counts", scope, { twice(runId) }) { wire<WorkflowStepStatus>("status") to getLong("steps") }.toMap()

    /** A page of which step of a run waits for which, ordered by their ids; empty for no such run. */
    @JvmOverloads
    public fun dependencies(
        scope: Scope,
        runId: UUID,
        limit: Int = JobQuery.MAX_LIMIT,
        after: String? = null,
    ): Page<StepDependency> = graphs.dependencies(scope, runId, limit, after)

    /**
     * What happened to a run's steps, in order, after the event numbered [after]; empty when there is nothing more or no such
     * run. Numbers are final once the run has ended. While it is live, an event that is committed late takes its place by its
     * time and moves the later ones: to follow a live run, read a few again.
     */
    @JvmOverloads
    public fun events(scope: Scope, runId: UUID, after: Long = 0, limit: Int = JobQuery.MAX_LIMIT): List<StepEvent> {
        JobQuery.requireLimit(limit)
        return many(
            "run_events",
            scope,
            { twice(runId) },
            {
                long(after)
                int(limit)
            },
        ) { stepEvent() }
    }

    /** When a run was paused and resumed, and why: the last 1,000 events, oldest first; empty for no such run. */
    public fun runEvents(scope: Scope, runId: UUID): List<RunEvent> =
        many("run_journal", scope, { twice(runId) }, { int(JobQuery.MAX_LIMIT) }) { runEvent() }

    /** The last 1,000 changes made to a run after it started, oldest first; empty for no such run. */
    public fun mutations(scope: Scope, runId: UUID): List<RunMutation> =
        many("run_mutations", scope, { twice(runId) }, { int(JobQuery.MAX_LIMIT) }) { runMutation() }

    /** Which run a run does again, and which do it again. Refused with `workflow.run_not_found`. */
    public fun lineage(scope: Scope, runId: UUID): WorkflowLineage {
        val found = many(
            "run_recoveries",
            scope,
            {
                int(WorkflowLineage.MAX_ENTRIES)
                uuid(runId)
            },
        ) { workflowRecoveryOrNull() }
        if (found.isEmpty()) throw runNotFound(runId)
        val (from, of) = found.filterNotNull().partition { it.recoveryRunId() == runId }
        return WorkflowLineage(from.singleOrNull(), of.sortedWith(compareBy({ it.createdAt() }, { it.recoveryRunId() })))
    }

    /**
     * A page of what waits for somebody, the longest wait first. Pass [Page.next] as [after] to go on. Costs as much as there
     * are open gates in all scopes before the page is full, however many steps there are.
     */
    @JvmOverloads
    public fun openGates(scope: Scope, limit: Int, after: String? = null): Page<OpenGate> {
        JobQuery.requireLimit(limit)
        val last = after?.let(TimedCursor::read) ?: TimedCursor(Instant.EPOCH, UUID(0, 0))
        return many(
            "open_gates",
            scope,
            {},
            {
                instant(last.at)
                uuid(last.id)
                int(limit + 1)
            },
        ) { openGate() }.page(limit) { TimedCursor(it.openedAt(), it.stepId()).text() }
    }

    /**
     * Which run holds [activeKey], or null when it is free. Keys belong to one organization or to the global runs, so
     * [Scope.everything] is refused with `request.invalid`.
     */
    public fun activeClaim(scope: Scope, activeKey: String): ActiveClaim? {
        requireOwner(scope)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements["active_claim"],
                {
                    text(ActiveKeys.scopeOf(scope.organizationId()))
                    text(activeKey)
                },
            ) { activeClaim(scope) }
        }
        return found.singleOrNull()
    }

    /**
     * A run with its whole graph and what happened to it and its steps, as of one moment; in a caller's transaction as of its own
     * snapshots. Five statements whatever its size. `WorkflowGraph.of(story)` draws it. Refused with `workflow.run_not_found`.
     */
    public fun story(scope: Scope, runId: UUID): WorkflowStory = graphs.story(scope, runId)

    private fun <T> one(statement: String, scope: Scope, bind: Binder.() -> Unit, read: ResultSet.() -> T): T? =
        many(statement, scope, bind, {}, read).singleOrNull()

    private fun <T> many(
        statement: String,
        scope: Scope,
        before: Binder.() -> Unit,
        after: Binder.() -> Unit = {},
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

    private fun requireOwner(scope: Scope) {
        if (scope.kind() == Scope.Kind.EVERYTHING) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "A key is unique within an organization or among global runs: look it up in one of those scopes.",
            )
        }
    }

    private fun Binder.twice(runId: UUID) {
        uuid(runId)
        uuid(runId)
    }
}
