package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.history.MutationKind
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.RetriedRun
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.text.Text
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.util.UUID

/** Runs the failed and canceled steps of an ended run again, once per request key. Succeeded steps do not change. */
internal class RetryFailed(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val mutations = RunMutations(context)
    private val keys = ActiveKeys(context)
    private val advance = AdvanceRuns(context)
    private val actions = RecordActions(context)

    fun retry(scope: Scope, request: RetryFailedRequest): RetriedRun = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.RECOVERY_ISOLATION)
        val target = OperatorTarget.run(request.runId())
        val draft = ActionDraft(OperatorActionKind.WORKFLOW_RETRY_FAILED, target, request.reason(), scope)
        actions.record(connection, draft) { act ->
            retry(connection, scope, request, act)
        }
    }

    private fun retry(connection: Connection, scope: Scope, request: RetryFailedRequest, act: Act): RetriedRun {
        val run = runs.lock(connection, scope, request.runId()) ?: throw runNotFound(request.runId())
        val requested = plainJson(mapOf("reason" to request.reason()))
        val earlier = mutations.find(connection, run.id(), request.requestKey(), requested)
        return when {
            earlier == null -> {
                requireRetryable(connection, run)
                val reset = reset(connection, run, request, act)
                act.changed(reset.size)
                val metadata = plainJson(mapOf(STEPS to reset.map { it.key }))
                mutations.insert(connection, run.id(), MutationKind.RETRY_FAILED, request.requestKey(), metadata, requested)
                RetriedRun(checkNotNull(runs.lock(connection, scope, run.id())), Disposition.INSERTED, reset.map { it.key })
            }

            earlier.kind == MutationKind.RETRY_FAILED && earlier.isSame ->
                RetriedRun(run, Disposition.EXISTING, earlier.stepKeys())

            else -> throw ErrorCode.RECOVERY_CONFLICT.exception(
                "The request key was used before on run ${run.id()} for a different request: repeat the same request, " +
                    "or use another key.",
                "request key ${Text.quoted(request.requestKey())}",
            )
        }
    }

    private fun requireRetryable(connection: Connection, run: WorkflowRun) {
        if (run.status() != WorkflowRunStatus.COMPLETED_WITH_ERRORS) {
            throw ErrorCode.RETRY_NOT_POSSIBLE.exception(
                "Run ${run.id()} is ${run.status()}: only a run that is COMPLETED_WITH_ERRORS has failed steps to retry.",
            )
        }
        val busyUntil = connection.row(
            context.statements["workflow/run_busy_until"],
            { uuid("run_id", run.id()) },
        ) { instantOrNull("busy_until") }
        if (busyUntil != null) {
            throw ErrorCode.RELEASE_CONFLICT.exception(
                "A canceled handler of run ${run.id()} may still be running until $busyUntil: try again after that.",
            )
        }
    }

    private fun reset(connection: Connection, run: WorkflowRun, request: RetryFailedRequest, act: Act): List<ResetStep> {
        takeActiveKey(connection, run)
        val reset = connection.rows(
            context.statements["workflow/run_reset"],
            {
                uuid("run_id", run.id())
                text("reason", request.reason())
                by(act)
            },
        ) { ResetStep(uuid("id"), getString("step_key"), getBoolean("is_ready"), uuidOrNull("job_before")) }
        val counters = RunCounters().apply { add(run.id(), open = reset.size, errors = -run.errorSteps()) }
        advance.advance(connection, emptyList(), counters, reset.filter { it.isReady }.map { it.id })
        resume(connection, reset.filter { it.jobBefore != null })
        return reset
    }

    /** A step whose handler may continue resumes from its last checkpoint and does not start over. */
    private fun resume(connection: Connection, steps: List<ResetStep>) {
        if (steps.isEmpty()) return
        connection.update(context.statements["workflow/step_resume"]) {
            uuids("step_ids", steps.map { it.id })
            uuids("previous_job_ids", steps.map { checkNotNull(it.jobBefore) })
        }
    }

    private fun takeActiveKey(connection: Connection, run: WorkflowRun) {
        val key = run.activeKey() ?: return
        if (!keys.take(connection, run.id(), run.organizationId(), key)) {
            throw ErrorCode.RECOVERY_ACTIVE.exception(
                "Another live run holds the active key of run ${run.id()}: wait until it has ended.",
            )
        }
    }

    private fun EarlierMutation.stepKeys(): List<String> = (plainMap(metadata)[STEPS] as? List<*>).orEmpty().map { it.toString() }

    private class ResetStep(val id: UUID, val key: String, val isReady: Boolean, val jobBefore: UUID?)

    private companion object {
        const val STEPS = "step_keys"
    }
}
