package io.runledger.test

import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.schema.MigrationBundle
import io.runledger.postgres.DatabaseTemplate
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import javax.sql.DataSource

/**
 * A ledger of its own for one test: a database nobody else sees, migrated, on a real PostgreSQL. [close] drops it.
 *
 * The first one in a JVM starts the server and migrates a template; every further one is a copy, a few tens of milliseconds each.
 * Which server it is, [TestPostgres.from] says.
 */
public class TestLedger private constructor(
    /** The database; your own tables may live in it too. */
    public val database: TestDatabase,
    schema: String,
) : AutoCloseable {
    /** Opens a connection per call; wrap it in a pool when a test needs one. */
    public val dataSource: DataSource = database.dataSource()

    /** A client of the ledger. */
    public val client: RunledgerClient = RunledgerClient.builder(dataSource).schema(schema).build()

    override fun close(): Unit = database.close()

    public companion object {
        /** Makes a fresh ledger in [schema]. Close it when the test is over; what is forgotten goes with the JVM. */
        @JvmStatic
        @JvmOverloads
        public fun fresh(schema: String = "runledger"): TestLedger =
            TestLedger(TestPostgres.shared().freshDatabase(template(schema)), schema)

        private fun template(schema: String) = DatabaseTemplate("${schema}_${MigrationBundle.fingerprint}") { database ->
            RunledgerClient.builder(database.dataSource()).schema(schema).build().migrate()
        }
    }
}
