package io.runledger.exposed.migration

import io.runledger.exposed.catalog.BundledMigration
import io.runledger.exposed.catalog.LedgerState
import io.runledger.exposed.catalog.SchemaCheck
import io.runledger.exposed.catalog.awaitTurn
import io.runledger.exposed.catalog.inspecting
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.SqlErrors
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import org.flywaydb.core.Flyway
import org.flywaydb.core.api.FlywayException
import javax.sql.DataSource

/** Migrates one schema to the version of this build. Its history is separate from the migrations of the service. */
internal class SchemaMigration(
    private val dataSource: DataSource,
    private val schema: SchemaName,
    private val errors: SqlErrors,
) {
    fun run(): MigrationReport = errors.translating {
        val state = look()
        when {
            state.pending.isEmpty() -> MigrationReport(schema.text, emptyList())
            state.isReadOnly -> throw readOnly()
            !state.mayCreate -> throw mayNotCreate()
            else -> inTurn(::migrateWhatIsLeft)
        }
    }

    private fun look(): LedgerState = dataSource.inspecting(SchemaCheck(schema)::requireMigratable)

    // Flyway's own lock does not work before its history table exists: several migrations at once would fail. This lock ends with
    // its transaction, so it also works behind a pooler and is always released. The holder needs further connections, so
    // the other threads of this process wait before they take a connection.
    private fun <T> inTurn(work: () -> T): T = MigrationTurns.take(dataSource) {
        dataSource.inspecting { connection ->
            connection.awaitTurn(schema)
            work()
        }
    }

    private fun migrateWhatIsLeft(): MigrationReport {
        val state = look()
        if (state.pending.isEmpty()) return MigrationReport(schema.text, emptyList())
        if (!state.hasSchema) createSchema()
        return migrate()
    }

    // Flyway would require the right to create schemas even if the schema exists.
    private fun createSchema() = dataSource.connection.use { connection ->
        connection.createStatement().use { it.execute("CREATE SCHEMA IF NOT EXISTS ${schema.quoted}") }
        if (!connection.autoCommit) connection.commit()
    }

    private fun migrate(): MigrationReport = try {
        val result = flyway().migrate()
        MigrationReport(schema.text, result.migrations.map { "V${it.version} ${it.description}" })
    } catch (failure: FlywayException) {
        throw explained(failure)
    }

    // The logger is fixed because Flyway would write to standard error if there is no SLF4J provider.
    // A baseline of zero allows a ledger in a schema that already contains tables of the service.
    private fun flyway(): Flyway = Flyway
        .configure(SchemaMigration::class.java.classLoader)
        .loggers("slf4j")
        .dataSource(dataSource)
        .locations("classpath:${BundledMigration.FOLDER}")
        .defaultSchema(schema.text)
        .schemas(schema.text)
        .createSchemas(false)
        .table(LedgerState.HISTORY_TABLE)
        .placeholders(mapOf("schema" to schema.text))
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .ignoreMigrationPatterns("*:future", "*:missing")
        .load()

    private fun explained(failure: FlywayException): RunledgerException {
        val translated = errors.translate(failure)
        return when (translated.code()) {
            in TELLING -> translated

            else -> SchemaException(
                ErrorCode.SCHEMA_MIGRATION_FAILED,
                "The ledger in '$schema' could not be migrated. The failed migration was rolled back. " +
                    "The log and the cause contain the database's message. Fix the problem and run migrate() again.",
                translated.internalMessage(),
                failure,
            )
        }
    }

    private fun readOnly() =
        ErrorCode.DB_READ_ONLY.exception("The database accepts no writes. Connect to the primary, or lift the read-only setting.")

    // Flyway would retry for ten seconds before it fails.
    private fun mayNotCreate() = ErrorCode.PERMISSION_DENIED.exception(
        "The role may not create tables in the schema '$schema'. Grant it CREATE on the schema, or migrate as another role.",
    )

    private companion object {
        val TELLING =
            setOf(
                ErrorCode.PERMISSION_DENIED,
                ErrorCode.DB_READ_ONLY,
                ErrorCode.DB_UNREACHABLE,
                ErrorCode.DB_AUTHENTICATION,
                ErrorCode.DB_POOL_EXHAUSTED,
            )
    }
}
