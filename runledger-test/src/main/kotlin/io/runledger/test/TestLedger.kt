package io.runledger.test

import com.zaxxer.hikari.HikariDataSource
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerReport
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.catalog.MigrationBundle
import io.runledger.postgres.DatabaseTemplate
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import java.time.Duration
import javax.sql.DataSource

/**
 * A separate ledger for one test: a migrated database on a real PostgreSQL server that no other test uses. [close] drops it.
 *
 * The first ledger in a JVM starts the server and migrates a template. Every further ledger is a copy, which takes a few tens
 * of milliseconds. [TestPostgres.from] describes the choice of the server.
 */
public class TestLedger private constructor(
    /** The database. It may also contain your own tables. */
    @get:JvmName("database")
    public val database: TestDatabase,
    schema: String,
) : AutoCloseable {
    private val pool = HikariDataSource().also {
        it.dataSource = database.dataSource()
        it.maximumPoolSize = POOL_SIZE
        it.minimumIdle = 0
    }

    /** A connection pool; [close] closes it. To open a new session per connection, use the data source of [database]. */
    @get:JvmName("dataSource")
    public val dataSource: DataSource get() = pool

    /** A client of the ledger. */
    @get:JvmName("client")
    public val client: RunledgerClient = RunledgerClient.builder(dataSource).schema(schema).build()

    /**
     * Runs a worker with [handlers] until none of their jobs is running or due, and returns a report of its work. Does not wait
     * for retries, delays and deadlines in the future: see [advance]. Jobs of other handlers are not changed. As in
     * production, jobs of lost workers are recovered, due schedules fire and overdue gates expire.
     *
     * If that takes longer than [patience], the call fails with an [AssertionError] that describes the remaining work.
     */
    @JvmOverloads
    public fun work(handlers: Handlers, patience: Duration = Duration.ofMinutes(1)): WorkerReport =
        HandsOn(this, handlers).work(patience)

    /**
     * Advances the ledger by [time] without waiting: everything that would become due within it is due now, including leases,
     * deadlines of gates and schedules. The database's clock does not change, so a schedule computes its next fire from the
     * real time.
     */
    public fun advance(time: Duration) {
        PassingTime(this).advance(time)
    }

    override fun close() {
        pool.close()
        database.close()
    }

    public companion object {
        /** Creates a fresh ledger in [schema]. Close it at the end of the test. Otherwise it is dropped when the JVM ends. */
        @JvmStatic
        @JvmOverloads
        public fun fresh(schema: String = "runledger"): TestLedger = freshOn(TestPostgres.shared(), schema)

        /** Like [fresh], on a server of your own, for example one with a standby. Close the ledger before the server. */
        @JvmStatic
        @JvmOverloads
        public fun freshOn(postgres: TestPostgres, schema: String = "runledger"): TestLedger =
            TestLedger(postgres.freshDatabase(template(schema)), schema)

        private const val POOL_SIZE = 20

        private fun template(schema: String) = DatabaseTemplate("${schema}_${MigrationBundle.fingerprint}") { database ->
            RunledgerClient.builder(database.dataSource()).schema(schema).build().migrate()
        }
    }
}
