package io.runledger.console.app

import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException

/** Whether this build can show the ledger, before a page tries to. */
internal class LedgerCheck(private val options: Options, private val hasPassword: Boolean) {
    /** Refuses the start if [client] cannot read the ledger of the database at [url]. */
    fun check(client: RunledgerClient, url: String) {
        try {
            client.requireCompatibleSchema()
        } catch (refused: RunledgerException) {
            throw RefusedStartException(
                "The ledger '${options.schema}' of ${ConsoleProgram.shown(url)} cannot be shown.\n" +
                    "${refused.message}\n${adviceFor(refused.code())}".trimEnd(),
                cause = refused,
            )
        }
    }

    private fun adviceFor(code: ErrorCode): String = when (code) {
        ErrorCode.DB_UNREACHABLE, ErrorCode.DB_POOL_EXHAUSTED ->
            "Check --url, and that the server runs and accepts connections from this machine." +
                if (hasPassword) "" else NO_PASSWORD

        ErrorCode.DB_AUTHENTICATION -> "Check --user, and the password in RUNLEDGER_PASSWORD, PGPASSWORD or --password-file."

        ErrorCode.SCHEMA_MISSING -> "Name the schema of your services with --schema. A ledger is created by client.migrate()."

        ErrorCode.SCHEMA_OUTDATED ->
            "The services use an older version of Runledger. Start the console of their version, or migrate the ledger."

        ErrorCode.SCHEMA_TOO_NEW -> "The services use a newer version of Runledger. Start the console of their version."

        ErrorCode.PERMISSION_DENIED -> "Grant the role the rights of a reader, or of an operator with --role operator."

        else -> ""
    }

    private companion object {
        /** The driver reports a server that asks for a password as one that it cannot reach. */
        const val NO_PASSWORD = " No password is set: if the server asks for one, set RUNLEDGER_PASSWORD, or use --password-file."
    }
}
