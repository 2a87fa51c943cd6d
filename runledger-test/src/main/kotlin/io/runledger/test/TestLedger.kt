package io.runledger.test

import com.zaxxer.hikari.HikariDataSource
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerReport
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.schema.MigrationBundle
import io.runledger.postgres.DatabaseTemplate
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import java.time.Duration
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
    private val pool = HikariDataSource().also {
        it.dataSource = database.dataSource()
        it.maximumPoolSize = POOL_SIZE
        it.minimumIdle = 0
    }

    /** A connection pool; [close] closes it. For a session of its own per connection, ask the [database] for a data source. */
    public val dataSource: DataSource get() = pool

    /** A client of the ledger. */
    public val client: RunledgerClient = RunledgerClient.builder(dataSource).schema(schema).build()

    /**
     * Lets a worker with [handlers] do what there is to do, and answers with what it did when nothing of theirs runs or is due
     * any more. Retries, delays and deadlines that lie ahead are not waited for: see [advance]. What belongs to other handlers
     * is left alone. Jobs of workers that vanished are taken over, due schedules fire and gates that ran out are ended, as in
     * service.
     *
     * Fails with an [AssertionError] that says what is still going on when that takes longer than [patience].
     */
    @JvmOverloads
    public fun work(handlers: Handlers, patience: Duration = Duration.ofMinutes(1)): WorkerReport =
        HandsOn(this, handlers).work(patience)

    /**
     * Lets [time] pass in the ledger, without waiting: what was due within it is due now, leases, deadlines of gates and
     * schedules included. The database's own clock stays, so a schedule's next fire is computed from the real time.
     */
    public fun advance(time: Duration) {
        PassingTime(this).advance(time)
    }

    override fun close() {
        pool.close()
        database.close()
    }

    public companion object {
        /** Makes a fresh ledger in [schema]. Close it when the test is over; what is forgotten goes with the JVM. */
        @JvmStatic
        @JvmOverloads
        public fun fresh(schema: String = "runledger"): TestLedger =
            TestLedger(TestPostgres.shared().freshDatabase(template(schema)), schema)

        private const val POOL_SIZE = 20

        private fun template(schema: String) = DatabaseTemplate("${schema}_${MigrationBundle.fingerprint}") { database ->
            RunledgerClient.builder(database.dataSource()).schema(schema).build().migrate()
        }
    }
}
