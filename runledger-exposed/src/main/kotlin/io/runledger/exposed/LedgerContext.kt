package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.rowsByKeptPlan
import io.runledger.model.json.PayloadCodec
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration

/** What every operation needs: where it runs, the statements, the codec, the limits, and who waits for runs. */
internal class LedgerContext(
    val schema: SchemaName,
    val statements: Statements,
    val transactions: Transactions,
    val codec: PayloadCodec,
    val limits: SizeLimits,
    val awaits: AwaitRuns,
) {
    /**
     * Runs a statement that takes longer to plan than to run, by a plan that the server makes once for a connection; so is
     * whatever follows in the same transaction. In a transaction of the caller's each is planned anew: the settings would stay.
     * So would the [idleLimit], after which the server ends a transaction whose next word does not come.
     */
    fun <T> rowsByKeptPlan(
        connection: Connection,
        sql: String,
        bind: Binder.() -> Unit,
        idleLimit: Duration? = null,
        read: ResultSet.() -> T,
    ): List<T> =
        if (transactions.isJoined) connection.rows(sql, bind, read) else connection.rowsByKeptPlan(sql, bind, idleLimit, read)

    /** The statement [name], which skips rows that another transaction holds; in the caller's transaction it waits for them. */
    fun lockingStatement(name: String): String = if (transactions.isJoined) statements.waiting(name) else statements[name]

    fun within(transactions: Transactions) = LedgerContext(schema, statements, transactions, codec, limits, awaits)
}
