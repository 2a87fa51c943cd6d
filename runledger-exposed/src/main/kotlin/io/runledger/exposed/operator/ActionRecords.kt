package io.runledger.exposed.operator

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Operator
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ActionRepeatedException
import io.runledger.model.error.ErrorCode
import io.runledger.model.text.Text
import java.sql.Connection
import java.util.UUID

/** Writes the rows of actions. */
internal class ActionRecords(private val context: LedgerContext) {
    /** Records that [act] begins. Refuses it if an action with the key of [operator] was recorded before. */
    fun begin(connection: Connection, operator: Operator, act: Act, draft: ActionDraft) {
        repeat(TRIES) {
            if (insert(connection, operator, act, draft)) return
            // The key may belong to an action that was deleted meanwhile.
            operator.key?.let { byKey(connection, it) }?.let { throw ActionRepeatedException(it) }
        }
        throw ErrorCode.DB_CONTENTION.exception("The key of the action was used and freed again repeatedly: try again.")
    }

    /** Adds what [act] changed since the last call. Refuses to continue an action that was undone meanwhile. */
    fun progress(connection: Connection, act: Act) {
        connection.row(
            context.statements["operator/action_progress"],
            {
                long("changed", act.changed)
                json("details", plainJson(act.details))
                uuid("id", act.id)
            },
        ) { uuid("id") } ?: throw ErrorCode.ACTION_UNDONE.exception(
            "Action ${act.id} was undone while it was running. It changes no further rows.",
        )
        act.counted()
    }

    fun finish(connection: Connection, act: Act, total: Long? = null) {
        connection.update(context.statements["operator/action_finish"]) {
            long("changed", act.changed)
            long("total", total)
            uuid("organization_id", act.organizationId)
            text("target", act.target)
            json("details", plainJson(act.details))
            uuid("id", act.id)
        }
    }

    fun discard(connection: Connection, act: Act) {
        connection.update(context.statements["operator/action_discard"]) { uuid("id", act.id) }
    }

    private fun insert(connection: Connection, operator: Operator, act: Act, draft: ActionDraft): Boolean = connection.row(
        context.statements["operator/action_begin"],
        {
            uuid("id", act.id)
            uuid("organization_id", draft.scope?.organizationId())
            long("total", draft.total)
            text("actor", operator.actor)
            text("action", draft.kind.wire())
            text("target_kind", draft.target.kind().wire())
            text("target", draft.target.name()?.let(Text::storable))
            uuid("target_id", draft.targetId)
            text("step_key", draft.target.stepKey()?.let(Text::storable))
            text("reason", draft.reason?.let(Text::storable))
            text("request_key", operator.key)
        },
    ) { uuid("id") } != null

    private fun byKey(connection: Connection, key: String): UUID? =
        connection.row(context.statements["operator/action_by_key"], { text("request_key", key) }) { uuid("id") }

    private companion object {
        const val TRIES = 10
    }
}
