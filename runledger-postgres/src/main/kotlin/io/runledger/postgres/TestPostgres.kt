package io.runledger.postgres

import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/**
 * Databases for tests. Each call of [freshDatabase] creates a new database that no other test uses. Safe to share between
 * threads.
 *
 * On an external server, databases of JVMs that died are dropped when the next JVM connects. A database counts as abandoned if
 * the session lock of the JVM that created it is free and no session is connected to it. Only names starting with `rltest_`
 * are considered.
 */
public class TestPostgres private constructor(
    /** The server of the databases. Only the code that started it may close it; users of [shared] must not. */
    @get:JvmName("server")
    public val server: PostgresServer,
) {
    private val owner = (server as? ExternalPostgres)?.owner ?: Random.nextInt(0, Int.MAX_VALUE)
    private val databases = Databases(server)
    private val templates = TemplateDatabases(databases, ::nextName)

    /** A new empty database. */
    public fun freshDatabase(): TestDatabase = nextName().also(databases::createEmpty).let(::testDatabase)

    /**
     * A new copy of [template]. If this server has no template of that name yet, it is prepared first. Threads and JVMs that
     * request the first copy at the same time wait for one preparation.
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
         * The shared server of this JVM. The first call starts it, and it stops when the JVM ends. The environment of the
         * process selects the server, as in [from].
         */
        @JvmStatic
        public fun shared(): TestPostgres = sharedInstance

        /**
         * The server that [environment] selects, in this order:
         * `RUNLEDGER_TEST_DATABASE_URL` (a running server, `jdbc:postgresql:` or `postgresql:`, with a role that may create
         * databases), `RUNLEDGER_TEST_PG_IMAGE` (a container image, needs Testcontainers), else an embedded server in
         * `RUNLEDGER_TEST_PG_DIR`. If the JVM runs as root, the embedded server runs as `RUNLEDGER_TEST_PG_USER`.
         */
        @JvmStatic
        public fun from(environment: Map<String, String>): TestPostgres = TestPostgres(ServerChoice.from(environment))

        /** Databases on a [server] that the caller starts and closes. */
        @JvmStatic
        public fun on(server: PostgresServer): TestPostgres = TestPostgres(server)
    }
}
