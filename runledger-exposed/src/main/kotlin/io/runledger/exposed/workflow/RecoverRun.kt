package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SourceLine
import io.runledger.model.id.Text
import io.runledger.model.json.Payload
import io.runledger.model.spec.Dependency
import io.runledger.model.spec.GateStep
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.RecoveryRequest
import io.runledger.model.spec.StepRequest
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.Disposition
import io.runledger.model.state.EnqueuedWorkflow
import io.runledger.model.state.GateExpiry
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import io.runledger.model.state.WorkflowStep
import java.sql.Connection

/**
 * Does an ended run again as a new one, appended steps included, once per request key. Each step takes the payload it had last
 * and the settings it ran with, so that definitions that changed since do not leak in, and the context begins as it began. The
 * source stays as it is.
 */
internal class RecoverRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val intake = EnqueueRuns(context)

    fun recover(scope: Scope, request: RecoveryRequest): EnqueuedWorkflow = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.RECOVERY_ISOLATION)
        val source = runs.lock(connection, scope, request.sourceRunId()) ?: throw ErrorCode.RECOVERY_SOURCE_NOT_FOUND.exception(
            "There is no workflow run ${request.sourceRunId()} in this scope: check the id, and whose run it is.",
        )
        earlier(connection, request) ?: start(connection, source, request)
    }

    private fun earlier(connection: Connection, request: RecoveryRequest): EnqueuedWorkflow? = connection.row(
        context.statements["recovery_find"],
        {
            uuid(request.sourceStepId())
            text(request.reason())
            uuid(request.sourceRunId())
            text(request.requestKey())
        },
    ) {
        if (!getBoolean("same")) {
            throw ErrorCode.RECOVERY_CONFLICT.exception(
                "The request key was used before on run ${request.sourceRunId()} with another step or reason: repeat the " +
                    "same request, or use another key.",
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
        val steps = connection.rows(context.statements["recovery_steps"], { uuid(source.id()) }) { workflowStep() }
        requireStep(request, steps)
        requireAsDeclared(connection, source, steps)
        val run = PlannedRun.of(rebuilt(connection, source, steps), context)
        if (intake.insert(connection, listOf(run)).isEmpty()) {
            throw ErrorCode.RECOVERY_ACTIVE.exception(
                "Another live run holds the active key of run ${source.id()}: wait until it has ended.",
            )
        }
        connection.update(context.statements["recovery_insert"]) {
            uuid(run.id)
            uuid(source.id())
            uuid(request.sourceStepId())
            text(request.requestKey())
            text(request.reason())
        }
        return EnqueuedWorkflow(run.id, Disposition.INSERTED, run.status)
    }

    private fun requireStep(request: RecoveryRequest, steps: List<WorkflowStep>) {
        if (request.sourceStepId() != null && steps.none { it.id() == request.sourceStepId() }) {
            throw ErrorCode.RECOVERY_STEP_NOT_FOUND.exception(
                "Run ${request.sourceRunId()} has no step ${request.sourceStepId()}: name one of its own, or none.",
            )
        }
    }

    /** What was asked for and what is there must be the same steps: a run that was changed by hand is not repeated. */
    private fun requireAsDeclared(connection: Connection, source: WorkflowRun, steps: List<WorkflowStep>) {
        if (source.enqueueRequest() == null) {
            throw ErrorCode.RECOVERY_SNAPSHOT_MISSING.exception(
                "Run ${source.id()} does not say what was asked for: start it anew.",
            )
        }
        val declared = connection.rows(
            context.statements["recovery_declared"],
            {
                uuid(source.id())
                uuid(source.id())
            },
        ) { DeclaredStep.of(this) }
        val isSame = declared.size == steps.size && declared.associateBy { it.key }.let { byKey ->
            byKey.size == steps.size && steps.all { byKey[it.stepKey()]?.describes(it) == true }
        }
        if (!isSame) {
            throw ErrorCode.RECOVERY_SNAPSHOT_UNSAFE.exception(
                "The steps of run ${source.id()} are not those that were asked for: somebody changed them. Start it anew.",
            )
        }
    }

    private fun rebuilt(connection: Connection, source: WorkflowRun, steps: List<WorkflowStep>): WorkflowRequest {
        val waits = connection.rows(context.statements["recovery_edges"], { uuid(source.id()) }) {
            uuid("dependent_step_id") to Dependency(getString("step_key"), wire("release_mode"), getString("input_name"))
        }.groupBy({ it.first }, { it.second })
        return WorkflowRequest(
            source.workflowType(),
            Payload.of(source.metadata()),
            source.organizationId(),
            null,
            source.activeKey(),
            source.resultStepKey(),
            Payload.of(connection.row(context.statements["recovery_context"], { uuid(source.id()) }) { json("context") }),
            source.contextMerge(),
            steps.map { it.asRequest(waits[it.id()].orEmpty()) },
        )
    }

    private fun WorkflowStep.asRequest(waits: List<Dependency>): StepRequest = job()?.let { job ->
        JobStep(
            stepKey(), job.jobType(), Payload.of(payload()), organizationId(), job.priority(), job.maxAttempts(), job.timeout(),
            job.delay(), job.initialStage(), job.retryPolicy()?.readRetryPolicy(), job.continuable(), waits,
            condition(), SourceLine.UNKNOWN,
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
