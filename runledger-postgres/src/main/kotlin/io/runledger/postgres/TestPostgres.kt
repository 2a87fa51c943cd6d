package io.runledger.postgres

import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/**
 * Databases for tests: each call of [freshDatabase] makes a new one that nobody else sees. Safe to share between threads.
 *
 * On a server that was already there, databases of JVMs that died are dropped when the next JVM connects. One counts as
 * abandoned when the session lock of the JVM that made it is held by nobody and no session is connected to it;
 * only names starting with `rltest_` are looked at.
 */
public class TestPostgres private constructor(
    /** The server the databases are made on; closing it is for the one who started it, never for users of [shared]. */
    public val server: PostgresServer,
) {
    private val owner = (server as? ExternalPostgres)?.owner ?: Random.nextInt(0, Int.MAX_VALUE)
    private val databases = Databases(server)
    private val templates = TemplateDatabases(databases, ::nextName)

    /** A new database with nothing in it. */
    public fun freshDatabase(): TestDatabase = nextName().also(databases::createEmpty).let(::testDatabase)

    /**
     * A new copy of [template], which is prepared first if this server has none of that name yet. Threads and JVMs that
     * race for the first copy wait for one preparation.
     */
    public fun freshDatabase(template: DatabaseTemplate): TestDatabase {
        val source = templates.prepared(template)
        return nextName().also { databases.createCopy(it, source) }.let(::testDatabase)
    }

    private fun testDatabase(name: String) = TestDatabase(server, name, databases::drop)

    private fun nextName() = DatabaseOwner.databaseName(owner, sequence.incrementAndGet())

    public companion object {
        private val sequence = AtomicInteger()
        private val sharedInstance by lazy { from(System.getenv()) }

        /**
         * The one server of this JVM, started at the first call and gone with the JVM. It is chosen as [from] does by the
         * environment of the process.
         */
        @JvmStatic
        public fun shared(): TestPostgres = sharedInstance

        /**
         * The server that [environment] asks for, in this order:
         * `RUNLEDGER_TEST_DATABASE_URL` (a running server, `jdbc:postgresql:` or `postgresql:`, with a role that may create
         * databases), `RUNLEDGER_TEST_PG_IMAGE` (a container image, needs Testcontainers), else an embedded one, which runs
         * as `RUNLEDGER_TEST_PG_USER` when the JVM runs as root, and in `RUNLEDGER_TEST_PG_DIR`.
         */
        @JvmStatic
        public fun from(environment: Map<String, String>): TestPostgres = TestPostgres(ServerChoice.from(environment))

        /** Databases on a [server] the caller started and closes. */
        @JvmStatic
        public fun on(server: PostgresServer): TestPostgres = TestPostgres(server)
    }
}
