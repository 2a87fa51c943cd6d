package io.runledger.exposed.verify

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.state.Contradiction
import io.runledger.model.state.Verification
import java.sql.Connection

/** Looks through the whole ledger for what cannot be true: three statements on one snapshot, which lock nothing. */
internal class VerifyLedger(private val context: LedgerContext) {
    fun verify(): Verification = context.transactions.snapshot { connection ->
        val contradictions = listOf("verify_jobs", "verify_workflows").flatMap { contradictions(connection, it) }
        checkNotNull(
            connection.row(context.statements["verify_size"]) {
                Verification(getLong("jobs"), getLong("attempts"), getLong("runs"), getLong("steps"), contradictions)
            },
        )
    }

    private fun contradictions(connection: Connection, statement: String): List<Contradiction> =
        connection.rows(context.statements[statement], { int(MOST_PER_RULE) }) {
            Contradiction(getString("rule"), uuid("subject"), getString("detail"))
        }

    private companion object {
        const val MOST_PER_RULE = 100
    }
}
