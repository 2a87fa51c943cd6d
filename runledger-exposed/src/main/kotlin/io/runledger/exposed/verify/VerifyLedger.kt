package io.runledger.exposed.verify

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.ledger.Contradiction
import io.runledger.model.ledger.Verification
import java.sql.Connection

/** Checks the whole ledger for contradictions: four statements on one snapshot, which take no row locks. */
internal class VerifyLedger(private val context: LedgerContext) {
    fun verify(): Verification = context.transactions.snapshot { connection ->
        val contradictions = STATEMENTS.flatMap { contradictions(connection, it) }
        checkNotNull(
            connection.row(context.statements["verify/verify_size"]) {
                Verification(getLong("jobs"), getLong("attempts"), getLong("runs"), getLong("steps"), contradictions)
            },
        )
    }

    private fun contradictions(connection: Connection, statement: String): List<Contradiction> =
        connection.rows(context.statements[statement], { int("limit", MOST_PER_RULE) }) {
            Contradiction(getString("rule"), uuid("subject"), getString("detail"))
        }

    private companion object {
        const val MOST_PER_RULE = 100
        val STATEMENTS = listOf("verify/verify_jobs", "verify/verify_flow", "verify/verify_workflows")
    }
}
