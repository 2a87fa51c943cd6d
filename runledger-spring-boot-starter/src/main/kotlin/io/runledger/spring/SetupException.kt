package io.runledger.spring

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer
import org.springframework.boot.diagnostics.FailureAnalysis

/** The beans or the properties do not make a ledger. [action] says what to do. */
internal class SetupException(message: String, val action: String) : RuntimeException("$message $action") {
    val description: String = message
}

/** Reports a [SetupException] in place of a stack trace. */
internal class SetupFailureAnalyzer : AbstractFailureAnalyzer<SetupException>() {
    override fun analyze(rootFailure: Throwable, cause: SetupException) = FailureAnalysis(cause.description, cause.action, cause)
}

/** Reports errors of the ledger's schema and database at the start in place of a stack trace. */
internal class LedgerFailureAnalyzer : AbstractFailureAnalyzer<RunledgerException>() {
    override fun analyze(rootFailure: Throwable, cause: RunledgerException): FailureAnalysis? {
        val action = when (cause.code()) {
            ErrorCode.SCHEMA_MISSING, ErrorCode.SCHEMA_OUTDATED ->
                "Set runledger.migrate=on, or migrate the schema before the application starts."

            ErrorCode.SCHEMA_TOO_NEW -> "Start a build with the version of Runledger that migrated the schema, or a later one."

            ErrorCode.DB_UNREACHABLE, ErrorCode.DB_AUTHENTICATION ->
                "Check spring.datasource.url, username and password, and that the server accepts connections."

            ErrorCode.PERMISSION_DENIED ->
                "Grant the role of the data source the rights, or set runledger.migrate=check and migrate with another role."

            else -> return null
        }
        return FailureAnalysis("The ledger cannot be used: ${cause.message}", action, cause)
    }
}
