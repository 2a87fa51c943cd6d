package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.spec.AppendRequest
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.StepRequest
import io.runledger.model.state.AppendedSteps
import io.runledger.model.state.Disposition
import io.runledger.model.state.MutationKind
import io.runledger.model.state.Scope
import io.runledger.model.state.StepKind
import io.runledger.model.state.WorkflowRun
import io.runledger.model.state.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/** Adds steps to a run while one of its gates is open, once per mutation key. */
internal class AppendSteps(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val steps = InsertSteps(context)
    private val mutations = RunMutations(context)
    private val advance = AdvanceRuns(context)

    fun append(scope: Scope, request: AppendRequest): AppendedSteps = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.APPEND_ISOLATION)
        val run = runs.lock(connection, scope, request.runId()) ?: throw runNotFound(request.runId())
        val world = world(connection, request)
        val planned = plan(run, request, world)
        val snapshot = RunSnapshot.ofAppend(request.window(), planned)
        val earlier = mutations.find(connection, run.id(), request.mutationKey(), snapshot)
        if (earlier == null) {
            requireOpen(run, request, world)
            requireFits(connection, request, world)
            write(connection, run, request, planned, world, snapshot)
        } else if (earlier.kind != MutationKind.APPEND_STEPS || !earlier.isSame) {
            throw conflict(request)
        }
        answer(connection, scope, request, if (earlier == null) Disposition.INSERTED else Disposition.EXISTING)
    }

    /** The existing steps the request names, as they stand. Nothing but a claim can change them while the run is locked. */
    private fun world(connection: Connection, request: AppendRequest): Map<String, Standing> {
        val named = request.steps().flatMap { step -> step.dependencies().map { it.step() } + step.key() } + request.window()
        return connection.rows(
            context.statements["step_standing"],
            {
                uuid(request.runId())
                uuid(request.runId())
                texts(named.distinct())
            },
        ) {
            getString("step_key") to Standing(uuid("id"), wire("status"), wire("execution_kind"), getInt("last_ordinal"))
        }.toMap()
    }

    private fun plan(run: WorkflowRun, request: AppendRequest, world: Map<String, Standing>): List<PlannedStep> {
        val next = (world.values.firstOrNull()?.lastOrdinal ?: -1) + 1
        val new = request.steps().map { it.key() }.toSet()
        return request.steps().mapIndexed { index, step -> plan(run, step, next + index, world - new) }
    }

    private fun plan(run: WorkflowRun, step: StepRequest, ordinal: Int, existing: Map<String, Standing>): PlannedStep {
        val ended = step.dependencies().filter { existing[it.step()]?.status?.isTerminal == true }
        return PlannedStep(
            runId = run.id(),
            organizationId = step.organizationId() ?: run.organizationId(),
            ordinal = ordinal,
            request = step,
            payload = context.encoded(step.payload(), "step ${Text.quoted(step.key())}${step.declaredAt().inBrackets()}"),
            retryPolicy = (step as? JobStep)?.retryPolicy()?.storedForm(),
            condition = step.condition()?.storedForm(),
            pending = step.dependencies().size - ended.size,
            unsatisfied = ended.count { !it.mode().isSatisfiedBy(existing.getValue(it.step()).status) },
            isSkipped = null,
        )
    }

    private fun requireOpen(run: WorkflowRun, request: AppendRequest, world: Map<String, Standing>) {
        val window = Text.quoted(request.window())
        val gate = world[request.window()]
        val refusal = when {
            gate == null -> ErrorCode.APPEND_WINDOW_MISSING to "Run ${run.id()} has no step $window: name one of its open gates."

            gate.kind != StepKind.EXTERNAL ->
                ErrorCode.APPEND_WINDOW_NOT_EXTERNAL to "Step $window is a job: name one of the run's open gates."

            run.isTerminal -> ErrorCode.APPEND_TERMINAL_RUN to "Run ${run.id()} ended as ${run.status()}: start a new one."

            gate.status != WorkflowStepStatus.WAITING_FOR_EXTERNAL ->
                ErrorCode.APPEND_WINDOW_NOT_OPEN to "Gate $window is ${gate.status}: steps can only be appended while it is open."

            else -> return
        }
        throw refusal.first.exception(refusal.second)
    }

    private fun requireFits(connection: Connection, request: AppendRequest, world: Map<String, Standing>) = try {
        request.requireFits(world.keys)
    } catch (refused: InvalidWorkflowException) {
        // Once more with every key there is, so that the message can say which one was probably meant.
        request.requireFits(
            connection.rows(context.statements["step_keys"], { uuid(request.runId()) }) { getString("step_key") }.toSet(),
        )
        throw refused
    }

    private fun write(
        connection: Connection,
        run: WorkflowRun,
        request: AppendRequest,
        planned: List<PlannedStep>,
        world: Map<String, Standing>,
        snapshot: Json,
    ) {
        steps.insert(connection, planned, run.isPaused) { world[it]?.id }
        val metadata = context.encoded(request.metadata(), "append ${Text.quoted(request.mutationKey())}", ValueKind.METADATA)
        mutations.insert(connection, run.id(), MutationKind.APPEND_STEPS, request.mutationKey(), metadata, snapshot)
        val born = planned.groupingBy { it.status }.eachCount()
        val tally = Tally()
        tally.add(
            run.id(),
            open = planned.size,
            active = born[WorkflowStepStatus.ENQUEUED] ?: 0,
            waiting = born[WorkflowStepStatus.WAITING_FOR_EXTERNAL] ?: 0,
        )
        advance.advance(connection, emptyList(), tally, planned.filter { it.isUndecided }.map { it.id })
    }

    private fun answer(connection: Connection, scope: Scope, request: AppendRequest, disposition: Disposition): AppendedSteps {
        val keys = request.steps().map { it.key() }
        val found = connection.rows(
            context.statements["steps_by_key"],
            {
                uuid(request.runId())
                texts(keys)
            },
        ) { workflowStep() }.associateBy { it.stepKey() }
        val run = checkNotNull(runs.lock(connection, scope, request.runId()))
        return AppendedSteps(run.id(), run.status(), disposition, keys.map(found::getValue))
    }

    private fun conflict(request: AppendRequest) = ErrorCode.APPEND_CONFLICT.exception(
        "The mutation key was used before on run ${request.runId()} for something else: repeat the same request, or use " +
            "another key.",
        "mutation key ${Text.quoted(request.mutationKey())}",
    )

    private class Standing(val id: UUID, val status: WorkflowStepStatus, val kind: StepKind, val lastOrdinal: Int)
}
