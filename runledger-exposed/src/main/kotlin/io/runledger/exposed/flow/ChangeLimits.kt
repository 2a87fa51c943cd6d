package io.runledger.exposed.flow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.limitValues
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.flow.FlowName
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.StoredLimit
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.text.Text
import java.sql.Connection

/** Puts the values of operators in force, and the declared ones again. */
internal class ChangeLimits(private val context: LedgerContext) {
    private val actions = RecordActions(context)

    /** [change] makes the new values from those in force. */
    fun change(name: String, reason: String?, change: (LimitValues) -> LimitValues): StoredLimit =
        recorded(OperatorActionKind.LIMIT_CHANGE, name, reason) { connection, act, before, why ->
            put(connection, before, change(before.inForce()), isChanged = true, act, why)
        }

    fun reset(name: String, reason: String?): StoredLimit =
        recorded(OperatorActionKind.LIMIT_RESET, name, reason) { connection, act, before, why ->
            put(connection, before, before.declared(), isChanged = false, act, why)
        }

    /**
     * Gives the limit what it had before a change: the values [previous] of an operator, or the declared ones if it is null. The
     * change must be in force: an operator's values [left], or the declared ones if it is null.
     */
    fun restore(connection: Connection, name: String, left: LimitValues?, previous: LimitValues?, reason: String, act: Act) {
        val before = lock(connection, name) ?: return
        if (before.changed() != (left != null) || (left != null && before.inForce() != left)) return
        put(connection, before, previous ?: before.declared(), isChanged = previous != null, act, reason)
    }

    private fun recorded(
        kind: OperatorActionKind,
        name: String,
        reason: String?,
        work: (Connection, Act, StoredLimit, String?) -> StoredLimit,
    ): StoredLimit {
        val why = reason?.let(Reason::required)
        return context.transactions.run { connection ->
            actions.record(connection, ActionDraft(kind, OperatorTarget.limit(name), why, null, 1)) { act ->
                work(connection, act, lock(connection, name) ?: throw unknownLimit(name), why)
            }
        }
    }

    private fun lock(connection: Connection, name: String): StoredLimit? = if (FlowName.LIMIT.problem(name).isPresent) {
        null
    } else {
        connection.row(context.statements["flow/limit_lock"], { text("name", name) }) { storedLimit() }
    }

    /** A limit that has the values already, for the same reason, is not written. */
    private fun put(
        connection: Connection,
        before: StoredLimit,
        values: LimitValues,
        isChanged: Boolean,
        act: Act,
        reason: String?,
    ): StoredLimit {
        if (before.inForce() == values && before.changed() == isChanged) return before
        act.changed(1)
        act.details["values"] = values.storedForm()
        if (before.changed()) act.details["previous"] = before.inForce().storedForm()
        return context.putLimit(connection, before.name(), values, isChanged, act, reason)
    }
}

/** Puts [values] in force and records them. The row is locked. */
internal fun LedgerContext.putLimit(
    connection: Connection,
    row: String,
    values: LimitValues,
    isChanged: Boolean,
    act: Act,
    reason: String?,
): StoredLimit = checkNotNull(
    connection.row(
        statements["flow/limit_put"],
        {
            limitValues(values)
            bool("is_changed", isChanged)
            text("name", row)
            text("actor", act.actor)
            text("reason", reason)
        },
    ) { storedLimit() },
)

internal fun unknownLimit(name: String): RunledgerException = ErrorCode.FLOW_LIMIT_UNKNOWN.exception(
    "There is no limit ${Text.quoted(name)}: check the spelling, or declare it with a job type first.",
)
