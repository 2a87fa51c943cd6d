package io.runledger.exposed.lifecycle

import io.runledger.exposed.catalog.awaitTurn
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.OwnTransactions
import io.runledger.exposed.sql.SqlErrors
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import org.postgresql.util.PSQLException
import java.sql.Connection
import javax.sql.DataSource

/** The roles of `roles.sql` for a ledger in any schema. Their names start with the name of the schema. */
internal class LedgerRoles(private val schema: SchemaName) {
    val names: List<String> = ROLES.map { "${schema.text}_$it" }

    init {
        if (names.any { it.length > MAX_LENGTH }) throw tooLong()
    }

    /** The script with this schema and its roles instead of `runledger` and the standard roles. Tables keep their names. */
    fun script(): String = standard
        .replace(Regex("\\brunledger_(?=(${ROLES.joinToString("|")})\\b|')"), "${schema.text}_")
        .replace(Regex("\\brunledger(?=\\.)"), schema.quoted)
        .replace(Regex("(?<=SCHEMA )runledger\\b"), schema.quoted)

    fun create(dataSource: DataSource, errors: SqlErrors): List<String> {
        OwnTransactions(dataSource, errors).run { connection ->
            connection.createStatement().use { it.execute("SET LOCAL search_path = pg_catalog") }
            // The lock covers this database only. Roles belong to the server: if two databases create the same role at once, the
            // server refuses one of them.
            connection.awaitTurn(schema)
            make(connection)
        }
        return names
    }

    private fun make(connection: Connection) = try {
        connection.createStatement().use { it.execute(script()) }
    } catch (refusal: PSQLException) {
        throw if (refusal.sqlState == NOT_OWN) taken(refusal) else refusal
    }

    /** The message comes from the script, which knows the role. */
    private fun taken(refusal: PSQLException) = ConflictException(
        ErrorCode.SCHEMA_ROLE_TAKEN,
        (refusal.serverErrorMessage?.message ?: ErrorCode.SCHEMA_ROLE_TAKEN.message()) + " Nothing was created or granted.",
        refusal.message,
        refusal,
    )

    private fun tooLong() = InvalidRequestException(
        ErrorCode.SCHEMA_NAME,
        "The schema name '$schema' is too long for the names of its roles. Use at most " +
            "${MAX_LENGTH - ROLES.maxOf { it.length } - 1} characters.",
    )

    companion object {
        private const val MAX_LENGTH = 63
        private const val NOT_OWN = "RL001"
        private val ROLES = listOf("reader", "producer", "worker", "operator", "migrator")

        private val standard: String by lazy {
            checkNotNull(LedgerRoles::class.java.getResource("/io/runledger/exposed/roles.sql")) { "There is no roles.sql." }
                .readText()
        }
    }
}
