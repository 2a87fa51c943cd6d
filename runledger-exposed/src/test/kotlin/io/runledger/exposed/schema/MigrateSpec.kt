package io.runledger.exposed.schema

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.catalog.BundledMigration
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.migration.MigrationReport
import org.flywaydb.core.Flyway
import org.postgresql.ds.PGSimpleDataSource
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors

class MigrateSpec :
    FunSpec({
        val everything = listOf(
            "V1 types",
            "V2 jobs",
            "V3 schedules",
            "V4 workflows",
            "V5 views",
            "V6 operators",
            "V7 causes",
            "V8 flow control",
            "V9 backfill",
            "V11 job keys",
            "V12 worker queues",
        )

        test("a fresh database gets the whole ledger, and a second call finds nothing to do") {
            val ledger = emptyLedger()

            ledger.client.migrate() shouldBe MigrationReport("runledger", everything)
            ledger.client.migrate() shouldBe MigrationReport("runledger", emptyList())
            ledger.client.requireCompatibleSchema()
        }

        test("the list of migrations, their checksums and the fence are what Flyway recorded") {
            val ledger = freshLedger()

            ledger.rows(
                "SELECT version, script, checksum FROM runledger.runledger_schema_history WHERE type = 'SQL' ORDER BY version::int",
            ) shouldContainExactly
                BundledMigration.all.map { "${it.version}|${it.script}|${it.checksum}" }
            // An older build can run on a ledger with operators' actions: it records none.
            ledger.rows("SELECT version FROM runledger.runledger_migration_history ORDER BY 1") shouldContainExactly
                // An older build works with the function of V7, the values of V9 and the column of V12, and enqueues no jobs with keys of V11.
                BundledMigration.all.map { it.version } - setOf("6", "7", "9", "11", "12")
        }

        test("racing migrators all succeed and apply everything once") {
            val ledger = emptyLedger()

            race(6) { RunledgerClient.create(ledger.dataSource).migrate().applied }.flatten().sorted() shouldContainExactly
                everything.sorted()
            ledger.client.requireCompatibleSchema()
        }

        test("racing migrators into a schema with tables of the host all succeed, too") {
            val ledger = emptyLedger("public")
            ledger.run("CREATE TABLE orders (id int)")

            race(6) { ledger.client.migrate().applied }.flatten().sorted() shouldContainExactly everything.sorted()
            ledger.client.requireCompatibleSchema()
        }

        test("two ledgers in one database do not see each other") {
            val ledger = emptyLedger()
            val other = RunledgerClient.builder(ledger.dataSource).schema("order").build()

            ledger.client.migrate().applied shouldContainExactly everything
            other.migrate().applied shouldContainExactly everything
            ledger.run("DROP SCHEMA runledger CASCADE")

            other.requireCompatibleSchema()
            other.migrate().applied.shouldBeEmpty()
        }

        test("the host's own Flyway and tables live beside the ledger") {
            val ledger = emptyLedger()
            fun host() = Flyway.configure().dataSource(ledger.dataSource).load().migrate()

            host().migrationsExecuted shouldBe 1
            ledger.client.migrate().applied shouldContainExactly everything
            host().migrationsExecuted shouldBe 0

            ledger.rows(
                "SELECT schemaname || '.' || tablename FROM pg_tables WHERE tablename LIKE '%history' ORDER BY 1",
            ) shouldContainExactly
                listOf(
                    "public.flyway_schema_history",
                    "runledger.runledger_migration_history",
                    "runledger.runledger_schema_history",
                )
            ledger.client.requireCompatibleSchema()
        }

        test("a host whose Flyway comes second is not disturbed") {
            val ledger = freshLedger()

            Flyway.configure().dataSource(ledger.dataSource).load().migrate().migrationsExecuted shouldBe 1
            ledger.rows("SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'orders'") shouldContainExactly
                listOf("public")
        }

        test("pooled connections keep their search path and their commit mode") {
            val ledger = emptyLedger()
            ledger.run("CREATE SCHEMA app")
            for (autoCommit in listOf(true, false)) {
                val config = HikariConfig().also {
                    it.dataSource =
                        (ledger.dataSource as PGSimpleDataSource).also { source -> source.currentSchema = "app,public" }
                    it.maximumPoolSize = 4
                    it.isAutoCommit = autoCommit
                }
                HikariDataSource(config).use { pool ->
                    val client = RunledgerClient.builder(pool).schema("ledger_$autoCommit").build()

                    client.migrate().applied shouldContainExactly everything
                    client.requireCompatibleSchema()

                    val connections = List(4) { pool.connection }
                    for (connection in connections) {
                        connection.autoCommit shouldBe autoCommit
                        connection.createStatement().executeQuery("SHOW search_path").use { rows ->
                            rows.next()
                            rows.getString(1) shouldBe "app,public"
                        }
                    }
                    connections.forEach { it.close() }
                }
            }
            ledger.rows("SELECT relname FROM pg_class WHERE relnamespace = 'app'::regnamespace").shouldBeEmpty()
        }

        test("a role that may not create schemas migrates into the one it was given") {
            val ledger = emptyLedger("given")
            ledger.run("CREATE SCHEMA given")
            val owner = ledger.asRole { listOf("GRANT ALL ON SCHEMA given TO $it") }
            val role = RunledgerClient.builder(owner).schema("given").build()

            role.migrate().applied shouldContainExactly everything
            role.requireCompatibleSchema()
        }
    })

/** What [racers] threads get that start [work] at the same moment. */
private fun <T> race(racers: Int, work: () -> T): List<T> {
    val start = CyclicBarrier(racers)
    val threads = Executors.newFixedThreadPool(racers)
    val racer = Callable {
        start.await()
        work()
    }
    return try {
        threads.invokeAll(List(racers) { racer }).map { it.get() }
    } finally {
        threads.shutdown()
    }
}
