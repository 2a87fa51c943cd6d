package io.runledger.exposed

import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.Spec
import io.runledger.exposed.catalog.BundledMigration
import io.runledger.exposed.catalog.Catalog
import io.runledger.exposed.catalog.CatalogReader
import io.runledger.exposed.catalog.inspecting
import io.runledger.exposed.schema.SchemaName
import io.runledger.postgres.DatabaseTemplate
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import org.postgresql.ds.PGSimpleDataSource
import java.util.UUID
import javax.sql.DataSource

/** A ledger in its own database, and the plain SQL that a test needs to prepare and to check it. */
class TestLedger(val database: TestDatabase, connect: (DataSource) -> RunledgerClient = RunledgerClient::create) : AutoCloseable {
    /** Keeps its sessions: a new session reads the catalog and plans every statement again, which takes most of a test's time. */
    private val pool = HikariDataSource().also {
        it.dataSource = database.dataSource()
        it.maximumPoolSize = POOL_SIZE
        it.minimumIdle = 0
    }
    private val roles = mutableListOf<String>()

    val client: RunledgerClient = connect(pool)

    /** Opens a new session for each connection. */
    val dataSource: DataSource get() = database.dataSource()

    fun run(vararg statements: String) = pool.connection.use { connection ->
        connection.createStatement().use { statement -> statements.forEach(statement::execute) }
    }

    /** The rows of a query, their columns joined by a bar. */
    fun rows(sql: String): List<String> = pool.connection.use { connection ->
        connection.createStatement().executeQuery(sql).use { rows ->
            buildList {
                while (rows.next()) add((1..rows.metaData.columnCount).joinToString("|") { rows.getString(it) ?: "" })
            }
        }
    }

    fun value(sql: String): String = rows(sql).single()

    internal fun catalog(): Catalog = dataSource.inspecting { CatalogReader(it, SchemaName(client.schema)).read() }

    /** The same database for a new role, which has only the rights of [grants]. */
    fun asRole(grants: (String) -> List<String> = { emptyList() }): DataSource {
        val role = "rl_" + UUID.randomUUID().toString().replace('-', '_')
        roles += role
        run("CREATE ROLE $role LOGIN PASSWORD 'secret'", *grants(role).toTypedArray())
        return asUser(role, "secret")
    }

    fun asUser(user: String, password: String): PGSimpleDataSource = PGSimpleDataSource().also {
        it.setURL(database.jdbcUrl)
        it.user = user
        it.password = password
    }

    override fun close() {
        pool.close()
        database.close()
        val server = database.server
        server.database(server.maintenanceDatabase).connect().use { connection ->
            connection.createStatement().use { statement -> roles.forEach { statement.execute("DROP ROLE $it") } }
        }
    }

    fun <T> exposed(work: JdbcTransaction.() -> T): T {
        val exposed = Database.connect(dataSource)
        return try {
            transaction(exposed) { work() }
        } finally {
            TransactionManager.closeAndUnregister(exposed)
        }
    }

    private companion object {
        /** More than any test has callers at once. */
        const val POOL_SIZE = 64
    }
}

private val migrated =
    DatabaseTemplate("ledger " + BundledMigration.all.joinToString(" ") { it.checksum.toString() }) {
        RunledgerClient.create(it.dataSource()).migrate()
    }

/** A migrated ledger in its own database, dropped after the spec. */
fun Spec.freshLedger(): TestLedger = autoClose(TestLedger(TestPostgres.shared().freshDatabase(migrated)))

/** A database without a ledger, and a client that can create one. */
fun Spec.emptyLedger(schema: String = SchemaName.DEFAULT.text): TestLedger {
    val database = TestPostgres.shared().freshDatabase()
    return autoClose(TestLedger(database) { RunledgerClient.builder(it).schema(schema).build() })
}
