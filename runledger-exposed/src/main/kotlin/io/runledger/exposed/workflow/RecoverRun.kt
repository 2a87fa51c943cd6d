package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SourceLine
import io.runledger.model.flow.JobFlow
import io.runledger.model.job.JobSettings
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.WorkflowStep
import io.runledger.model.text.Text
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRun
import java.sql.Connection

/**
 * Starts an ended run again as a new run, including appended steps, once per request key. Each step takes its last payload and
 * the settings that it ran with, so that later changes of definitions have no effect. The context is the one that the source run
 * was started with. The source run does not change.
 */
internal class RecoverRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val intake = EnqueueRuns(context)
    private val actions = RecordActions(context)

    fun recover(scope: Scope, request: RecoveryRequest): EnqueuedWorkflow = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.RECOVERY_ISOLATION)
        val target = OperatorTarget.run(request.sourceRunId())
        actions.record(connection, ActionDraft(OperatorActionKind.WORKFLOW_RECOVER, target, request.reason(), scope, 1)) { act ->
            recover(connection, scope, request).also {
                act.changed(it.disposition() == Disposition.INSERTED)
                act.details["recovery_run_id"] = it.runId().toString()
            }
        }
    }

    private fun recover(connection: Connection, scope: Scope, request: RecoveryRequest): EnqueuedWorkflow {
        val source = runs.lock(connection, scope, request.sourceRunId()) ?: throw ErrorCode.RECOVERY_SOURCE_NOT_FOUND.exception(
            "There is no workflow run ${request.sourceRunId()} in this scope: check the id and the scope.",
        )
        return earlier(connection, request) ?: start(connection, source, request)
    }

    private fun earlier(connection: Connection, request: RecoveryRequest): EnqueuedWorkflow? = connection.row(
        context.statements["workflow/recovery_find"],
        {
            uuid("source_step_id", request.sourceStepId())
            text("reason", request.reason())
            uuid("source_run_id", request.sourceRunId())
            text("request_key", request.requestKey())
        },
    ) {
        if (!getBoolean("same")) {
            throw ErrorCode.RECOVERY_CONFLICT.exception(
                "The request key was used before on run ${request.sourceRunId()} with a different step or reason: repeat " +
                    "the same request, or use another key.",
                "request key ${Text.quoted(request.requestKey())}",
            )
        }
        EnqueuedWorkflow(uuid("id"), Disposition.EXISTING, wire("status"))
    }

    private fun start(connection: Connection, source: WorkflowRun, request: RecoveryRequest): EnqueuedWorkflow {
        if (!source.isTerminal) {
            throw ErrorCode.RECOVERY_SOURCE_NOT_TERMINAL.exception(
                "Run ${source.id()} is ${source.status()}: wait until it has ended, or cancel it.",
            )
        }
        val steps = connection.rows(
            context.statements["workflow/recovery_steps"],
            { uuid("run_id", source.id()) },
        ) { workflowStep() }
        requireStep(request, steps)
        val flows = declared(connection, source, steps).associate { it.key to it.flow }
        val run = PlannedRun.of(rebuilt(connection, source, steps, flows), context)
        if (intake.insert(connection, listOf(run)).isEmpty()) {
            throw ErrorCode.RECOVERY_ACTIVE.exception(
                "Another live run holds the active key of run ${source.id()}: wait until it has ended.",
            )
        }
        connection.update(context.statements["workflow/recovery_let_go"]) { uuid("run_id", source.id()) }
        connection.update(context.statements["workflow/recovery_insert"]) {
            uuid("recovery_run_id", run.id)
            uuid("source_run_id", source.id())
            uuid("source_step_id", request.sourceStepId())
            text("request_key", request.requestKey())
            text("reason", request.reason())
        }
        return EnqueuedWorkflow(run.id, Disposition.INSERTED, run.status)
    }

    private fun requireStep(request: RecoveryRequest, steps: List<WorkflowStep>) {
        if (request.sourceStepId() != null && steps.none { it.id() == request.sourceStepId() }) {
            throw ErrorCode.RECOVERY_STEP_NOT_FOUND.exception(
                "Run ${request.sourceRunId()} has no step ${request.sourceStepId()}: name a step of this run, or none.",
            )
        }
    }

    /** The declared steps. They must match the stored steps: a run that was changed by hand is not repeated. */
    private fun declared(connection: Connection, source: WorkflowRun, steps: List<WorkflowStep>): List<DeclaredStep> {
        if (source.enqueueRequest() == null) {
            throw ErrorCode.RECOVERY_SNAPSHOT_MISSING.exception(
                "Run ${source.id()} has no stored enqueue request, so it cannot be repeated: enqueue a new run.",
            )
        }
        val declared = connection.rows(
            context.statements["workflow/recovery_declared"],
            { uuid("run_id", source.id()) },
        ) { DeclaredStep.of(this) }
        val isSame = declared.size == steps.size && declared.associateBy { it.key }.let { byKey ->
            byKey.size == steps.size && steps.all { byKey[it.stepKey()]?.describes(it) == true }
        }
        if (!isSame) {
            throw ErrorCode.RECOVERY_SNAPSHOT_UNSAFE.exception(
                "The stored steps of run ${source.id()} differ from its enqueue request, because rows were changed by hand: " +
                    "enqueue a new run.",
            )
        }
        return declared
    }

    private fun rebuilt(
        connection: Connection,
        source: WorkflowRun,
        steps: List<WorkflowStep>,
        flows: Map<String?, JobFlow>,
    ): WorkflowRequest {
        val waits = connection.rows(context.statements["workflow/recovery_edges"], { uuid("run_id", source.id()) }) {
            uuid("dependent_step_id") to Dependency(getString("step_key"), wire("release_mode"), getString("input_name"))
        }.groupBy({ it.first }, { it.second })
        return WorkflowRequest(
            source.workflowType(),
            Payload.of(source.metadata()),
            source.organizationId(),
            null,
            source.activeKey(),
            source.resultStepKey(),
            Payload.of(
                connection.row(
                    context.statements["workflow/recovery_context"],
                    { uuid("run_id", source.id()) },
                ) { json("context") },
            ),
            source.contextMerge(),
            source.headers(),
            steps.map { it.asRequest(waits[it.id()].orEmpty(), flows[it.stepKey()] ?: JobFlow.NONE) },
        )
    }

    private fun WorkflowStep.asRequest(waits: List<Dependency>, flow: JobFlow): StepRequest = job()?.let { job ->
        JobStep(
            stepKey(),
            job.jobType(),
            Payload.of(payload()),
            organizationId(),
            JobSettings(job.priority(), job.maxAttempts(), job.timeout(), job.retryPolicy()?.readRetryPolicy(), flow),
            job.delay(),
            job.initialStage(),
            job.continuable(),
            job.headers(),
            waits,
            condition(),
            SourceLine.UNKNOWN,
        )
    } ?: GateStep(
        stepKey(),
        Payload.of(payload()),
        organizationId(),
        gate()?.expiresAfter(),
        gate()?.expiry() ?: GateExpiry.FAILED,
        waits,
        condition(),
        SourceLine.UNKNOWN,
    )
}
