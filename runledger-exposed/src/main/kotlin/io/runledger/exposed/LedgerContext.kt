package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.model.json.PayloadCodec

/** What every operation needs: where it runs, the statements, the codec, the limits, and who waits for runs. */
internal class LedgerContext(
    val schema: SchemaName,
    val statements: Statements,
    val transactions: Transactions,
    val codec: PayloadCodec,
    val maxPayloadBytes: Int,
    val awaits: AwaitRuns,
) {
    fun within(transactions: Transactions) = LedgerContext(schema, statements, transactions, codec, maxPayloadBytes, awaits)
}
