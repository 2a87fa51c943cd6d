package io.runledger.exposed.context

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.signal.Signals
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.rowsByKeptPlan
import io.runledger.exposed.start.Starters
import io.runledger.model.json.PayloadCodec
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration

/** The dependencies of every operation: schema, statements, transactions, codec, limits, signals, workers and operator. */
internal class LedgerContext(
    val schema: SchemaName,
    val statements: Statements,
    val transactions: Transactions,
    val codec: PayloadCodec,
    val limits: SizeLimits,
    val signals: Signals,
    val headers: HeaderRules,
    val starters: Starters,
    /** Null for the calls of a service, which are not recorded. */
    val operator: Operator? = null,
) {
    /**
     * Runs a statement that takes longer to plan than to run, with a plan that the server makes once per connection. The planner
     * settings apply to all later statements of the transaction. In a caller's transaction each statement is planned again,
     * because the settings would affect the caller. So would [idleLimit], after which the server ends an idle transaction.
     */
    fun <T> rowsByKeptPlan(
        connection: Connection,
        sql: String,
        bind: Binder.() -> Unit,
        idleLimit: Duration? = null,
        read: ResultSet.() -> T,
    ): List<T> =
        if (transactions.isJoined) connection.rows(sql, bind, read) else connection.rowsByKeptPlan(sql, bind, idleLimit, read)

    /** The statement [name]. It skips rows that another transaction holds; in a caller's transaction it waits for them. */
    fun lockingStatement(name: String): String = if (transactions.isJoined) statements.waiting(name) else statements[name]

    fun within(transactions: Transactions) =
        LedgerContext(schema, statements, transactions, codec, limits, signals, headers, starters, operator)

    fun actingAs(operator: Operator) =
        LedgerContext(schema, statements, transactions, codec, limits, signals, headers, starters, operator)
}
