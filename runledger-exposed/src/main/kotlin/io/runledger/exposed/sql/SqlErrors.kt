package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import org.postgresql.util.PSQLException
import org.postgresql.util.ServerErrorMessage
import java.sql.SQLException
import java.sql.SQLTransientConnectionException

/**
 * Translates database errors: by the service's [constraints], then by the ledger's own, then by SQLSTATE. The message contains
 * no SQL and no values. The internal message and the cause contain the database's message. The cause contains no row data
 * either, because loggers print the causes of an exception.
 */
internal class SqlErrors(private val constraints: ConstraintErrors = ConstraintErrors.NONE) {
    /** Runs [work]. Translates exceptions of the database and the pool; other exceptions pass unchanged. */
    inline fun <T> translating(work: () -> T): T = try {
        work()
    } catch (failure: RunledgerException) {
        throw failure
    } catch (failure: SQLException) {
        throw translate(failure)
    } catch (failure: RuntimeException) {
        // A pool that cannot start wraps the driver's exception in one of its own.
        throw if (failure.sqlFailure() == null) failure else translate(failure)
    }

    /** [failure] as one of the model's exceptions. The cause is the original without the rows and values the server quotes. */
    fun translate(failure: Throwable): RunledgerException {
        val sqlFailure = failure.sqlFailure()
        val code = sqlFailure?.let { byConstraint(it) ?: bySqlState(it) } ?: ErrorCode.DB_QUERY_FAILED
        return code.exception(
            safeMessage(code, sqlFailure),
            sqlFailure?.let(::databaseMessage) ?: failure.message,
            withoutDetails(sqlFailure) ?: failure,
        )
    }

    /** The same exception without the server's details, if it has any: they show whole rows, including payloads. */
    private fun withoutDetails(sqlFailure: SQLException?): SQLException? {
        val error = (sqlFailure as? PSQLException)?.serverErrorMessage ?: return null
        if (error.detail == null && error.where == null) return null
        return PSQLException(error, false).also { it.stackTrace = sqlFailure.stackTrace }
    }

    private fun byConstraint(failure: SQLException): ErrorCode? {
        val constraint = failure.constraint() ?: return null
        return constraints.codeOf(constraint) ?: if (failure.isStillReferenced()) null else LedgerConstraints.codeOf(constraint)
    }

    private fun bySqlState(failure: SQLException): ErrorCode? {
        val state = failure.sqlState
        return when {
            state == null -> ErrorCode.DB_POOL_EXHAUSTED.takeIf { failure is SQLTransientConnectionException }
            failure.isStillReferenced() -> ErrorCode.DB_STILL_REFERENCED
            else -> codes[state] ?: codesOfClasses.entries.firstOrNull { (start, _) -> state.startsWith(start) }?.value
        }
    }

    private fun safeMessage(code: ErrorCode, failure: SQLException?): String = when {
        failure?.sqlState == UNKNOWN_DATABASE ->
            "The server has no database of the configured name. Create the database, or correct its name in the JDBC URL."

        // The ledger's own functions name types and limits, and no payloads and keys.
        failure?.sqlState?.startsWith(OWN_STATES) == true ->
            "${(failure as? PSQLException)?.serverErrorMessage?.message.orEmpty().replaceFirstChar(
                Char::uppercase,
            )}. ${advice[code]}"

        else -> advice[code]?.let { "${code.message()} $it" } ?: code.message()
    }

    private fun databaseMessage(failure: SQLException): String {
        val message = (withoutDetails(failure).takeIf { failure.sqlState in showingRows } ?: failure).message
        return listOfNotNull(failure.sqlState?.let { "SQLSTATE $it" }, failure.constraint()?.let { "constraint $it" }, message)
            .joinToString(": ")
    }

    /**
     * The most specific exception in the chain. A pool's timeout counts only if it does not have the cause of the missing
     * connections.
     */
    private fun Throwable.sqlFailure(): SQLException? {
        val chain = generateSequence(this) { it.cause ?: (it as? SQLException)?.nextException }
            .take(MAX_CAUSES)
            .filterIsInstance<SQLException>()
            .toList()
        return chain.firstOrNull { it is PSQLException } ?: chain.firstOrNull { it.sqlState != null } ?: chain.firstOrNull()
    }

    private fun SQLException.constraint(): String? = (this as? PSQLException)?.serverErrorMessage?.constraint

    private fun SQLException.isStillReferenced(): Boolean = when (sqlState) {
        RESTRICT_VIOLATION -> true
        FOREIGN_KEY_VIOLATION -> (this as? PSQLException)?.serverErrorMessage?.let(::namesReferencingTable) == true
        else -> false
    }

    /**
     * Before PostgreSQL 18, a refused delete has the SQLSTATE of a missing reference, and its message depends on the server's
     * language. In every language the detail shows the key and then names a table. That is the table that still refers to the
     * row, which is the table of the constraint, or the table where the row is missing.
     */
    private fun namesReferencingTable(error: ServerErrorMessage): Boolean {
        val table = error.table ?: return false
        val detail = error.detail ?: return false
        val text = detail.substringBefore('(') + detail.substringAfterLast(')')
        return Regex("(?<!\\w)${Regex.escape(table)}(?!\\w)").containsMatchIn(text)
    }

    private companion object {
        const val MAX_CAUSES = 20
        const val UNKNOWN_DATABASE = "3D000"
        const val OWN_STATES = "RL1"
        const val RESTRICT_VIOLATION = "23001"
        const val FOREIGN_KEY_VIOLATION = "23503"
        const val CHECK_VIOLATION = "23514"
        const val NOT_NULL_VIOLATION = "23502"

        /** Errors for which the server shows the whole row. Others name a key at most. */
        val showingRows = setOf(CHECK_VIOLATION, NOT_NULL_VIOLATION)

        val codes =
            mapOf(
                "23505" to ErrorCode.DB_UNIQUE,
                FOREIGN_KEY_VIOLATION to ErrorCode.DB_MISSING_REFERENCE,
                RESTRICT_VIOLATION to ErrorCode.DB_STILL_REFERENCED,
                CHECK_VIOLATION to ErrorCode.DB_RULE,
                NOT_NULL_VIOLATION to ErrorCode.DB_REQUIRED,
                "42501" to ErrorCode.PERMISSION_DENIED,
                "42P01" to ErrorCode.SCHEMA_MISSING,
                "3F000" to ErrorCode.SCHEMA_MISSING,
                "25006" to ErrorCode.DB_READ_ONLY,
                "28000" to ErrorCode.DB_AUTHENTICATION,
                "28P01" to ErrorCode.DB_AUTHENTICATION,
                UNKNOWN_DATABASE to ErrorCode.DB_UNREACHABLE,
                "22021" to ErrorCode.INVALID_ARGUMENT,
                "25P02" to ErrorCode.DB_TRANSACTION_ABORTED,
                // The server closed the session because its transaction was idle, or open, for too long.
                "25P03" to ErrorCode.DB_STATEMENT_CANCELED,
                "25P04" to ErrorCode.DB_STATEMENT_CANCELED,
                "57014" to ErrorCode.DB_STATEMENT_CANCELED,
                "53300" to ErrorCode.DB_UNREACHABLE,
                "55P03" to ErrorCode.DB_LOCK_TIMEOUT,
                "40001" to ErrorCode.DB_CONTENTION,
                "40P01" to ErrorCode.DB_CONTENTION,
                // Raised by the ledger's function resolve_flow.
                "RL101" to ErrorCode.FLOW_KEY_MISSING,
                "RL102" to ErrorCode.FLOW_LIMIT_UNKNOWN,
                "RL103" to ErrorCode.FLOW_TOO_MANY_LIMITS,
                "RL104" to ErrorCode.FLOW_KEY_INVALID,
            )

        /** Error codes by the first characters of a SQLSTATE. */
        val codesOfClasses =
            mapOf(
                "08" to ErrorCode.DB_UNREACHABLE,
                "57P" to ErrorCode.DB_UNREACHABLE,
                "53" to ErrorCode.DB_OUT_OF_RESOURCES,
                "58" to ErrorCode.DB_SERVER_FAULT,
                "F0" to ErrorCode.DB_SERVER_FAULT,
                "XX" to ErrorCode.DB_SERVER_FAULT,
            )

        val advice =
            mapOf(
                ErrorCode.DB_UNREACHABLE to "Check that the server runs and that host and port are right.",
                ErrorCode.DB_AUTHENTICATION to "Check user, password and the server's access rules.",
                ErrorCode.DB_READ_ONLY to "Connect to the primary, or lift the read-only setting.",
                ErrorCode.DB_POOL_EXHAUSTED to "Try again, enlarge the pool, or hold connections for a shorter time.",
                ErrorCode.DB_LOCK_TIMEOUT to "Try again.",
                ErrorCode.DB_STATEMENT_CANCELED to
                    "Try again. If it persists, raise the statement timeout or find the lock that the statement waits for.",
                ErrorCode.DB_OUT_OF_RESOURCES to "Free resources on the server, and try again.",
                ErrorCode.DB_SERVER_FAULT to "Try again. If it persists, read the server's log.",
                ErrorCode.DB_TRANSACTION_ABORTED to "Roll it back and begin again.",
                ErrorCode.DB_CONTENTION to "Try again.",
                ErrorCode.FLOW_KEY_MISSING to
                    "Enqueue with the declared job type, whose functions find the keys, or give the key in the request.",
                ErrorCode.FLOW_LIMIT_UNKNOWN to "Check the name, or declare the limit with a job type and sync the types first.",
                ErrorCode.FLOW_TOO_MANY_LIMITS to "Count those of the type and those of the request.",
                ErrorCode.FLOW_KEY_INVALID to "Name the limit without a key, or declare it by key.",
                ErrorCode.SCHEMA_MISSING to
                    "It was dropped or never created, or lacks a table. Run migrate(), or correct the schema name.",
                ErrorCode.PERMISSION_DENIED to "Grant the privilege, or connect as a role that has it.",
                ErrorCode.INVALID_ARGUMENT to "It contains a NUL character, which PostgreSQL cannot store. Remove the character.",
            )
    }
}
