package io.runledger.exposed.flow

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.page
import io.runledger.exposed.definition.getDefinition
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.ShareWeight
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.text.Text
import io.runledger.model.value.Identifier
import java.sql.Connection

/** Gives shares their weights. A share of weight 1 has no row. */
internal class WeighShares(private val context: LedgerContext) {
    private val actions = RecordActions(context)

    fun weigh(jobType: String, share: String, weight: Int, reason: String?): ShareWeight {
        Identifier.FLOW_KEY.require(share)
        if (weight !in 1..ShareWeight.MOST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The weight is $weight: use 1 to ${ShareWeight.MOST}.")
        }
        val why = reason?.let(Reason::required)
        val draft = ActionDraft(OperatorActionKind.SHARE_WEIGH, OperatorTarget.share(jobType, share), why, null, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                context.getDefinition(connection, jobType)
                weigh(connection, ShareWeight(jobType, share, weight), act)
            }
        }
    }

    /** With [left], only if this is the weight now. */
    fun weigh(connection: Connection, weighed: ShareWeight, act: Act, left: Int? = null): ShareWeight {
        val before = connection.row(context.statements["flow/share_lock"], {
            text("job_type", weighed.jobType())
            text("share_key", weighed.share())
        }) { getInt("weight") } ?: 1
        if (before == weighed.weight() || (left != null && before != left)) return weighed
        act.changed(1)
        act.details += mapOf(
            "job_type" to weighed.jobType(),
            "share" to weighed.share(),
            "weight" to weighed.weight(),
            "previous_weight" to before,
        )
        connection.update(context.statements[if (weighed.weight() == 1) "flow/share_drop" else "flow/share_weigh"]) {
            text("job_type", weighed.jobType())
            text("share_key", weighed.share())
            if (weighed.weight() != 1) int("weight", weighed.weight())
        }
        return weighed
    }

    fun list(jobType: String, limit: Int, after: String?): Page<ShareWeight> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::text)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["flow/share_list"],
                {
                    text("job_type", Text.storable(jobType))
                    text("after", last)
                    int("limit", limit + 1)
                },
            ) { ShareWeight(getString("job_type"), getString("share_key"), getInt("weight")) }
        }.page(limit) { Cursor.afterText(it.share()) }
    }
}
