package io.runledger.exposed.flow

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.limitValues
import io.runledger.exposed.sql.rows
import io.runledger.model.flow.QueueState
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import java.sql.Connection
import java.sql.ResultSet

/** Reads the state of queues. A queue needs no declaration: one without a row or a job is empty. */
internal class ReadQueues(private val context: LedgerContext) {
    fun list(limit: Int, after: String?): Page<QueueState> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::text)
        return context.transactions.run { connection ->
            val names = connection.rows(
                context.statements["flow/queue_names"],
                {
                    text("after", last)
                    int("limit", limit + 1)
                },
            ) { getString("queue") }
            states(connection, names)
        }.page(limit) { Cursor.afterText(it.name()) }
    }

    fun get(connection: Connection, queue: String): QueueState = states(connection, listOf(queue)).single()

    private fun states(connection: Connection, names: List<String>): List<QueueState> = connection.rows(
        context.statements["flow/queue_states"],
        {
            texts("queues", names)
            int("most", QueueState.MOST_WAITING + 1)
        },
    ) { queueState() }

    private fun ResultSet.queueState(): QueueState {
        val waiting = getInt("waiting")
        return QueueState(
            getString("queue"),
            waiting.coerceAtMost(QueueState.MOST_WAITING),
            waiting > QueueState.MOST_WAITING,
            getInt("running"),
            instantOrNull("oldest_due"),
            getBoolean("is_paused"),
            limitValues("declared_"),
        )
    }
}
