package io.runledger.exposed.flow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.limitValues
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.FlowName
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.QueueState
import io.runledger.model.flow.StoredLimit
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection

/**
 * Pauses, resumes and limits queues. The row of a queue has the values that an operator gave it as the declared ones. A pause
 * puts zero permits in force in their place, and a resume puts them in force again.
 */
internal class ChangeQueues(private val context: LedgerContext, private val reads: ReadQueues) {
    private val actions = RecordActions(context)

    fun pause(queue: String, reason: String?): QueueState =
        recorded(OperatorActionKind.QUEUE_PAUSE, queue, reason) { connection, act, why ->
            pause(connection, queue, why, act)
        }

    fun resume(queue: String, reason: String?): QueueState =
        recorded(OperatorActionKind.QUEUE_RESUME, queue, reason) { connection, act, why ->
            resume(connection, queue, why, act)
        }

    fun limit(queue: String, values: LimitValues, reason: String?): QueueState {
        if (values.permits() == 0) {
            throw ErrorCode.FLOW_LIMIT_INVALID.exception("permits is 0: to stop the jobs of a queue, pause it.")
        }
        return recorded(OperatorActionKind.LIMIT_CHANGE, queue, reason) { connection, act, why ->
            limit(connection, queue, values, why, act)
        }
    }

    fun pause(connection: Connection, queue: String, reason: String?, act: Act) {
        val before = lock(connection, queue)
        if (before.changed()) return
        act.changed(1)
        val paused = before.declared().withPermits(0)
        context.putLimit(connection, rowOfQueue(queue), paused, isChanged = true, act, reason)
    }

    fun resume(connection: Connection, queue: String, reason: String?, act: Act) {
        val before = lock(connection, queue)
        if (!before.changed()) return
        act.changed(1)
        context.putLimit(connection, rowOfQueue(queue), before.declared(), isChanged = false, act, reason)
    }

    /** With [left], only if these are the values now. */
    fun limit(connection: Connection, queue: String, values: LimitValues, reason: String?, act: Act, left: LimitValues? = null) {
        val before = lock(connection, queue)
        if (before.declared() == values || (left != null && before.declared() != left)) return
        act.changed(1)
        act.details["values"] = values.storedForm()
        act.details["previous"] = before.declared().storedForm()
        connection.update(context.statements["flow/queue_limit"]) {
            limitValues(values)
            text("name", rowOfQueue(queue))
        }
        val inForce = if (before.changed()) values.withPermits(0) else values
        context.putLimit(connection, rowOfQueue(queue), inForce, before.changed(), act, reason)
    }

    private fun lock(connection: Connection, queue: String): StoredLimit {
        connection.update(context.statements["flow/queue_add"]) { text("name", rowOfQueue(queue)) }
        return checkNotNull(
            connection.row(context.statements["flow/limit_lock"], { text("name", rowOfQueue(queue)) }) { storedLimit() },
        )
    }

    private fun recorded(
        kind: OperatorActionKind,
        queue: String,
        reason: String?,
        work: (Connection, Act, String?) -> Unit,
    ): QueueState {
        FlowName.QUEUE.require(queue)
        val why = reason?.let(Reason::required)
        return context.transactions.run { connection ->
            actions.record(connection, ActionDraft(kind, OperatorTarget.queue(queue), why, null, 1)) { act ->
                work(connection, act, why)
            }
            reads.get(connection, queue)
        }
    }
}
