package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.history.MutationKind
import io.runledger.model.json.Json
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.AppendedSteps
import io.runledger.model.text.Text
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/** Adds steps to a run while one of its gates is open, once per mutation key. */
internal class AppendSteps(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val steps = InsertSteps(context)
    private val mutations = RunMutations(context)
    private val advance = AdvanceRuns(context)
    private val actions = RecordActions(context)

    fun append(scope: Scope, request: AppendRequest): AppendedSteps = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.APPEND_ISOLATION)
        val target = OperatorTarget.step(request.runId(), request.window())
        actions.record(connection, ActionDraft(OperatorActionKind.WORKFLOW_APPEND, target, null, scope)) { act ->
            append(connection, scope, request).also { if (it.isNew) act.changed(it.steps().size) }
        }
    }

    private fun append(connection: Connection, scope: Scope, request: AppendRequest): AppendedSteps {
        val run = runs.lock(connection, scope, request.runId()) ?: throw runNotFound(request.runId())
        val existing = existingSteps(connection, request)
        val planned = plan(run, request, existing)
        val snapshot = RunSnapshot.ofAppend(request.window(), planned)
        val earlier = mutations.find(connection, run.id(), request.mutationKey(), snapshot)
        if (earlier == null) {
            requireOpen(run, request, existing)
            requireFits(connection, request, existing)
            write(connection, run, request, planned, existing, snapshot)
        } else if (earlier.kind != MutationKind.APPEND_STEPS || !earlier.isSame) {
            throw conflict(request)
        }
        return answer(connection, scope, request, if (earlier == null) Disposition.INSERTED else Disposition.EXISTING)
    }

    /** The existing steps that the request names. While the run is locked, only a claim can change them. */
    private fun existingSteps(connection: Connection, request: AppendRequest): Map<String, ExistingStep> {
        val named = request.steps().flatMap { step -> step.dependencies().map { it.step() } + step.key() } + request.window()
        return connection.rows(
            context.statements["workflow/step_standing"],
            {
                uuid("run_id", request.runId())
                texts("step_keys", named.distinct())
            },
        ) {
            getString("step_key") to ExistingStep(uuid("id"), wire("status"), wire("execution_kind"), getInt("last_ordinal"))
        }.toMap()
    }

    private fun plan(run: WorkflowRun, request: AppendRequest, existing: Map<String, ExistingStep>): List<PlannedStep> {
        val next = (existing.values.firstOrNull()?.lastOrdinal ?: -1) + 1
        val new = request.steps().map { it.key() }.toSet()
        return request.steps().mapIndexed { index, step -> plan(run, step, next + index, existing - new) }
    }

    private fun plan(run: WorkflowRun, step: StepRequest, ordinal: Int, existing: Map<String, ExistingStep>): PlannedStep {
        val ended = step.dependencies().filter { existing[it.step()]?.status?.isTerminal == true }
        return PlannedStep(
            runId = run.id(),
            organizationId = step.organizationId() ?: run.organizationId(),
            ordinal = ordinal,
            request = step,
            payload = context.encoded(step.payload(), "step ${Text.quoted(step.key())}${step.declaredAt().inBrackets()}"),
            condition = step.condition()?.storedForm(),
            pending = step.dependencies().size - ended.size,
            unsatisfied = ended.count { !it.mode().isSatisfiedBy(existing.getValue(it.step()).status) },
            isSkipped = null,
            jobHeaders = context.jobHeaders(step, run.headers()),
        )
    }

    private fun requireOpen(run: WorkflowRun, request: AppendRequest, existing: Map<String, ExistingStep>) {
        val window = Text.quoted(request.window())
        val gate = existing[request.window()]
        val refusal = when {
            gate == null -> ErrorCode.APPEND_WINDOW_MISSING to "Run ${run.id()} has no step $window: name one of its open gates."

            gate.kind != StepKind.EXTERNAL ->
                ErrorCode.APPEND_WINDOW_NOT_EXTERNAL to "Step $window is a job step: name one of the open gates of the run."

            run.isTerminal -> ErrorCode.APPEND_TERMINAL_RUN to "Run ${run.id()} ended as ${run.status()}: start a new run."

            gate.status != WorkflowStepStatus.WAITING_FOR_EXTERNAL ->
                ErrorCode.APPEND_WINDOW_NOT_OPEN to "Gate $window is ${gate.status}: steps can only be appended while it is open."

            else -> return
        }
        throw refusal.first.exception(refusal.second)
    }

    private fun requireFits(connection: Connection, request: AppendRequest, existing: Map<String, ExistingStep>) = try {
        request.requireFits(existing.keys)
    } catch (refused: InvalidWorkflowException) {
        // Checks again with all keys of the run, so that the message can suggest the key that was probably meant.
        request.requireFits(
            connection.rows(
                context.statements["workflow/step_keys"],
                { uuid("run_id", request.runId()) },
            ) { getString("step_key") }.toSet(),
        )
        throw refused
    }

    private fun write(
        connection: Connection,
        run: WorkflowRun,
        request: AppendRequest,
        planned: List<PlannedStep>,
        existing: Map<String, ExistingStep>,
        snapshot: Json,
    ) {
        steps.insert(connection, planned, run.isPaused) { existing[it]?.id }
        val metadata = context.encoded(request.metadata(), "append ${Text.quoted(request.mutationKey())}", ValueKind.METADATA)
        mutations.insert(connection, run.id(), MutationKind.APPEND_STEPS, request.mutationKey(), metadata, snapshot)
        val byStatus = planned.groupingBy { it.status }.eachCount()
        val counters = RunCounters()
        counters.add(
            run.id(),
            open = planned.size,
            active = byStatus[WorkflowStepStatus.ENQUEUED] ?: 0,
            waiting = byStatus[WorkflowStepStatus.WAITING_FOR_EXTERNAL] ?: 0,
        )
        advance.advance(connection, emptyList(), counters, planned.filter { it.isUndecided }.map { it.id })
    }

    private fun answer(connection: Connection, scope: Scope, request: AppendRequest, disposition: Disposition): AppendedSteps {
        val keys = request.steps().map { it.key() }
        val found = connection.rows(
            context.statements["workflow/steps_by_key"],
            {
                uuid("run_id", request.runId())
                texts("step_keys", keys)
            },
        ) { workflowStep() }.associateBy { it.stepKey() }
        val run = checkNotNull(runs.lock(connection, scope, request.runId()))
        return AppendedSteps(run.id(), run.status(), disposition, keys.map(found::getValue))
    }

    private fun conflict(request: AppendRequest) = ErrorCode.APPEND_CONFLICT.exception(
        "The mutation key was used before on run ${request.runId()} for a different request: repeat the same request, " +
            "or use another key.",
        "mutation key ${Text.quoted(request.mutationKey())}",
    )

    private class ExistingStep(val id: UUID, val status: WorkflowStepStatus, val kind: StepKind, val lastOrdinal: Int)
}
