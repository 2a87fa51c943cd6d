package io.runledger.exposed.schema

import io.runledger.exposed.sql.SqlErrors
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import org.flywaydb.core.Flyway
import org.flywaydb.core.api.FlywayException
import javax.sql.DataSource

/** Brings one schema up to this build, with a history of its own beside whatever migrations the host runs. */
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

    // Flyway's own lock is no help before its history table exists, where several at once would fail. The lock ends with its
    // transaction, so it also holds behind a pooler and cannot be left behind. Whoever holds it needs connections beside its own:
    // in this process those who would wait for it wait before they take one.
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

    // Not left to Flyway, which would ask for the right to create schemas even when the schema is there.
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

    // Without a provider of SLF4J's, Flyway would write to the standard error instead: who wants no log gets none.
    // A baseline of zero lets the ledger move into a schema that already holds the host's tables.
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
                "The ledger in '$schema' could not be migrated; nothing of the failed migration was kept. " +
                    "The database's words are in the log and in the cause: mend what they say and run migrate() again.",
                translated.internalMessage(),
                failure,
            )
        }
    }

    private fun readOnly() =
        ErrorCode.DB_READ_ONLY.exception("The database accepts no writes: connect to the primary, or lift the read-only setting.")

    // Flyway would try for ten seconds before it says so.
    private fun mayNotCreate() = ErrorCode.PERMISSION_DENIED.exception(
        "The role may not create tables in the schema '$schema': grant it CREATE there, or migrate as another role.",
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
