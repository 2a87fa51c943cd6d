package io.runledger.exposed.operator

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.value.UuidV7
import java.sql.Connection

/**
 * An action in many transactions. The first of them records the action, and each adds the number of rows that it changed, so
 * that others can watch the progress. If a transaction fails, the record stays without an end.
 */
internal class Batches(private val context: LedgerContext, private val draft: ActionDraft, details: Map<String, Any?>) {
    private val records = ActionRecords(context)
    private val operator = context.operator
    private var isBegun = false

    val reason: String? get() = draft.reason

    val act: Act = operator?.let { Act(UuidV7.next(), it.actor) } ?: Act.unrecorded()

    init {
        act.details += details
    }

    /**
     * Performs [work], which returns the number of changed rows, in the transaction of [connection]. An interrupt of the thread
     * ends the action between two batches: a process that stops does not wait for a million rows.
     */
    fun batch(connection: Connection, work: (Act) -> Int): Int {
        if (Thread.currentThread().isInterrupted) throw ErrorCode.ACTION_INTERRUPTED.exception()
        begin(connection)
        val changed = work(act)
        act.changed(changed)
        if (operator != null) records.progress(connection, act)
        return changed
    }

    /** Records the end. An action that found nothing to change is recorded as a whole. */
    fun finish() {
        if (operator == null) return
        context.transactions.run { connection ->
            begin(connection)
            records.finish(connection, act)
        }
    }

    private fun begin(connection: Connection) {
        if (operator == null || isBegun) return
        records.begin(connection, operator, act, draft)
        isBegun = true
    }
}
