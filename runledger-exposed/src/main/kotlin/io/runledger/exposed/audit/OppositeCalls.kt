package io.runledger.exposed.audit

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.definition.ChangeDefinitions
import io.runledger.exposed.flow.ChangeLimits
import io.runledger.exposed.flow.ChangeQueues
import io.runledger.exposed.flow.ReadQueues
import io.runledger.exposed.flow.WeighShares
import io.runledger.exposed.flow.readLimitValues
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.operator.Act
import io.runledger.exposed.schedule.ChangeSchedules
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.row
import io.runledger.exposed.workflow.EditStep
import io.runledger.exposed.workflow.PauseRun
import io.runledger.model.flow.ShareWeight
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorActionKind.DEFINITION_PAUSE
import io.runledger.model.operator.OperatorActionKind.DEFINITION_RESUME
import io.runledger.model.operator.OperatorActionKind.LIMIT_CHANGE
import io.runledger.model.operator.OperatorActionKind.LIMIT_RESET
import io.runledger.model.operator.OperatorActionKind.QUEUE_PAUSE
import io.runledger.model.operator.OperatorActionKind.QUEUE_RESUME
import io.runledger.model.operator.OperatorActionKind.SCHEDULE_PAUSE
import io.runledger.model.operator.OperatorActionKind.SCHEDULE_RESUME
import io.runledger.model.operator.OperatorActionKind.SHARE_WEIGH
import io.runledger.model.operator.OperatorActionKind.WORKFLOW_EDIT_STEP
import io.runledger.model.operator.OperatorActionKind.WORKFLOW_PAUSE
import io.runledger.model.operator.OperatorActionKind.WORKFLOW_RESUME
import io.runledger.model.operator.OperatorTargetKind
import java.sql.Connection
import java.util.UUID

/** Undoes an action on one row with the opposite change, unless the row has been changed since. */
internal class OppositeCalls(private val context: LedgerContext) {
    private val runs = PauseRun(context)
    private val steps = EditStep(context)
    private val schedules = ChangeSchedules(context)
    private val definitions = ChangeDefinitions(context)
    private val limits = ChangeLimits(context)
    private val queues = ChangeQueues(context, ReadQueues(context))
    private val shares = WeighShares(context)

    fun isKnown(kind: OperatorActionKind): Boolean = kind == WORKFLOW_EDIT_STEP || switches.any { kind in it }

    /** Counts the row in [act] if it is as before the [action] now. */
    fun call(connection: Connection, scope: Scope, action: OperatorAction, reason: String, act: Act) {
        if (action.kind() == WORKFLOW_EDIT_STEP) return restore(connection, scope, action, reason, act)
        val kinds = switches.first { action.kind() in it }
        if (isSuperseded(connection, action.id(), kinds)) return
        val name = checkNotNull(action.target().name())
        when (action.kind()) {
            WORKFLOW_PAUSE -> runs.resume(connection, scope, UUID.fromString(name), reason, act)

            WORKFLOW_RESUME -> runs.pause(connection, scope, UUID.fromString(name), reason, act)

            SCHEDULE_PAUSE -> schedules.resume(connection, scope, name, reason, act)

            SCHEDULE_RESUME -> schedules.pause(connection, scope, name, reason, act)

            DEFINITION_PAUSE, DEFINITION_RESUME ->
                definitions.pause(connection, name, isPaused = action.kind() == DEFINITION_RESUME, act)

            QUEUE_PAUSE -> queues.resume(connection, name, reason, act)

            QUEUE_RESUME -> queues.pause(connection, name, reason, act)

            SHARE_WEIGH -> unweigh(connection, action, act)

            else -> putBack(connection, action, name, reason, act)
        }
    }

    /** The values before a change or a reset; the declared ones if no operator's values were in force. */
    private fun putBack(connection: Connection, action: OperatorAction, name: String, reason: String, act: Act) {
        val details = plainMap(action.details())
        val left = readLimitValues(details["values"] as Map<*, *>)
        val previous = (details["previous"] as Map<*, *>?)?.let(::readLimitValues)
        if (action.target().kind() == OperatorTargetKind.QUEUE) {
            queues.limit(connection, name, checkNotNull(previous), reason, act, left)
        } else {
            limits.restore(connection, name, left.takeIf { action.kind() == LIMIT_CHANGE }, previous, reason, act)
        }
    }

    private fun unweigh(connection: Connection, action: OperatorAction, act: Act) {
        val details = plainMap(action.details())
        val weight = details["previous_weight"] as Int
        shares.weigh(
            connection,
            ShareWeight(details["job_type"] as String, details["share"] as String, weight),
            act,
            details["weight"] as Int,
        )
    }

    private fun restore(connection: Connection, scope: Scope, action: OperatorAction, reason: String, act: Act) {
        val run = UUID.fromString(action.target().name())
        val previous = previousPayload(connection, run, action.id()) ?: return
        act.changed(steps.restore(connection, scope, run, checkNotNull(action.target().stepKey()), previous, reason, act))
    }

    /** Null if the step was edited or reset since. */
    private fun previousPayload(connection: Connection, run: UUID, action: UUID): Json? = connection.row(
        context.statements["audit/step_edit"],
        {
            uuid("run_id", run)
            uuid("action_id", action)
        },
    ) { json("previous_payload").takeUnless { getBoolean("is_changed_since") } }

    private fun isSuperseded(connection: Connection, action: UUID, kinds: Set<OperatorActionKind>): Boolean = checkNotNull(
        connection.row(
            context.statements["audit/action_superseded"],
            {
                uuid("id", action)
                wires("kinds", kinds.toList())
            },
        ) { getBoolean("is_superseded") },
    )

    private companion object {
        val switches = listOf(
            setOf(WORKFLOW_PAUSE, WORKFLOW_RESUME),
            setOf(SCHEDULE_PAUSE, SCHEDULE_RESUME),
            setOf(DEFINITION_PAUSE, DEFINITION_RESUME),
            setOf(LIMIT_CHANGE, LIMIT_RESET),
            setOf(QUEUE_PAUSE, QUEUE_RESUME),
            setOf(SHARE_WEIGH),
        )
    }
}
