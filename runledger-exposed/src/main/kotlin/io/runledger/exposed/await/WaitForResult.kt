package io.runledger.exposed.await

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.ledger.Scope
import io.runledger.model.text.Text
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus
import java.lang.reflect.Type
import java.util.UUID
import java.util.concurrent.Executor

/** Waits for the result of a run. If the run declares no result, the wait fails at once, even while the run is live. */
internal class WaitForResult<T : Any>(
    scope: Scope,
    runId: UUID,
    private val codec: PayloadCodec,
    private val type: Type,
    threads: Executor,
) : Waiter<T?>(scope, runId, threads) {
    override fun isOver(run: WorkflowRun): Boolean {
        if (run.resultStepKey() == null) {
            throw ErrorCode.RESULT_NOT_DECLARED.exception(
                "Workflow run $runId of type ${Text.quoted(run.workflowType())} declares no result step: " +
                    "declare one when the run is enqueued, or wait for the end of the run.",
            )
        }
        return run.isTerminal
    }

    override fun take(run: WorkflowRun): T? {
        if (run.status() != WorkflowRunStatus.SUCCEEDED) {
            throw ErrorCode.RESULT_UNSUCCESSFUL.exception(
                "Workflow run $runId ended as ${run.status()} and has no result: read its story to find the failed step.",
            )
        }
        return decode(run.result() ?: throw missing(run))
    }

    private fun missing(run: WorkflowRun) = ErrorCode.RESULT_MISSING.exception(
        "Workflow run $runId succeeded, but its result step '${run.resultStepKey()}' returned no output.",
    )

    @Suppress("TooGenericExceptionCaught", "UNCHECKED_CAST")
    private fun decode(result: Json): T? = try {
        codec.decode(result, type) as T?
    } catch (failure: RuntimeException) {
        throw ErrorCode.INVALID_PAYLOAD.exception(
            "The result of workflow run $runId cannot be read as ${type.typeName}.",
            failure.message,
            failure,
        )
    }
}
