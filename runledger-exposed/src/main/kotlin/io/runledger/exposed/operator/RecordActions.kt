package io.runledger.exposed.operator

import io.runledger.exposed.context.LedgerContext
import io.runledger.model.value.UuidV7
import java.sql.Connection

/** Records the actions of the context's operator in the transactions that perform them. Without an operator, it does nothing. */
internal class RecordActions(private val context: LedgerContext) {
    private val records = ActionRecords(context)

    /** Whether calls are recorded. */
    val isOn: Boolean get() = context.operator != null

    /**
     * Performs [work] in the transaction of [connection] and records it. The record is written first, so that of two calls with
     * one key only one changes anything. If [work] throws, the transaction is rolled back with the record.
     */
    fun <T> record(connection: Connection, draft: ActionDraft, work: (Act) -> T): T {
        val operator = context.operator ?: return work(Act.unrecorded())
        val act = Act(UuidV7.next(), operator.actor)
        records.begin(connection, operator, act, draft)
        val result = work(act)
        if (act.isRefused) records.discard(connection, act) else records.finish(connection, act)
        return result
    }

    /** Performs [work], which changes rows in many transactions, as one action. */
    fun <T> inBatches(draft: ActionDraft, details: Map<String, Any?>, work: (Batches) -> T): T {
        val batches = Batches(context, draft, details)
        val result = work(batches)
        batches.finish()
        return result
    }
}
