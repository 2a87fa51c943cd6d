package io.runledger.exposed.ledgers

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledgers
import io.runledger.exposed.catalog.BundledMigration
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.lifecycle.ListedLedger
import io.runledger.exposed.lifecycle.ListedLedger.State
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.until
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import org.postgresql.ds.PGSimpleDataSource
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

private val migrations = BundledMigration.all.size
private val current = BundledMigration.all.last().version.toInt()

class CreateLedgerSpec :
    FunSpec({
        test("a ledger is made once, and is there to work with") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)

            ledgers.create("acme").applied.size shouldBe migrations
            ledgers.create("acme").applied.shouldBeEmpty()

            ledgers.client("acme").requireCompatibleSchema()
            ledgers.client("acme").schema shouldBe "acme"
        }

        test("processes that make the same ledger at once, and others beside it, all end well") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)

            val applied = racing(6) { ledgers.create(if (it < 4) "acme" else "globex").applied.size }

            applied.sum() shouldBe 2 * migrations
            ledgers.list() shouldContainExactly
                listOf("acme", "globex").map { ListedLedger(it, current, State.CURRENT) }
        }

        test("many who make ledgers over one small pool wait for their turn, and not for each other's connections") {
            val config = HikariConfig().apply {
                dataSource = emptyLedger().dataSource
                maximumPoolSize = 4
                connectionTimeout = 2_000
            }
            HikariDataSource(config).use { pool ->
                val ledgers = List(2) { Ledgers.of(pool) }

                val applied = racing(10) { ledgers[it % 2].create(if (it < 7) "acme" else "globex").applied.size }

                applied.sum() shouldBe 2 * migrations
            }
        }

        test("one who makes a ledger while others drop it ends with a ledger or none, never with half of one") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)

            racing(3) {
                repeat(3) {
                    ledgers.create("acme")
                    try {
                        ledgers.drop("acme")
                    } catch (gone: RunledgerException) {
                        gone.code() shouldBe ErrorCode.SCHEMA_MISSING
                    }
                }
            }

            ledgers.create("acme")
            ledgers.client("acme").requireCompatibleSchema()
        }

        test("one who dies in the middle leaves an unfinished ledger, which the next call finishes") {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            ledger.run(
                "CREATE FUNCTION hold() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN " +
                    "IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = ''acme.workflow_runs'') " +
                    "THEN PERFORM pg_advisory_xact_lock(42); END IF; END'",
                "CREATE EVENT TRIGGER hold ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION hold()",
            )
            val doomed = (ledger.dataSource as PGSimpleDataSource).also { it.applicationName = "doomed" }

            ledger.database.connect().use { obstacle ->
                obstacle.createStatement().use { it.execute("SELECT pg_advisory_lock(42)") }
                val dying = CompletableFuture.runAsync { Ledgers.of(doomed).create("acme") }
                until("it is in the middle of it") {
                    ledger.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND NOT granted").isNotEmpty()
                }
                ledger.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed'")
                shouldThrow<CompletionException> { dying.join() }
            }

            ledgers.list() shouldContainExactly listOf(ListedLedger("acme", 3, State.OUTDATED))
            State.entries.filter { ListedLedger("acme", 3, it).isUsable } shouldContainExactly
                listOf(State.CURRENT, State.OUTDATED)
            shouldRefuse(ErrorCode.SCHEMA_OUTDATED) { ledgers.client("acme").requireCompatibleSchema() }
            ledgers.create("acme").applied shouldContainExactly
                listOf(
                    "V4 workflows",
                    "V5 views",
                    "V6 operators",
                    "V7 causes",
                    "V8 flow control",
                    "V9 backfill",
                    "V11 job keys",
                    "V12 worker queues",
                )
            ledgers.client("acme").requireCompatibleSchema()
        }

        test("a name that is no plain identifier is refused everywhere") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)
            val names = listOf("", "Acme", "a-b", "a\"; drop schema public; --", "pg_acme", "information_schema", "a".repeat(64))

            for (name in names) {
                shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.create(name) }
                shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.createRoles(name) }
                shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.client(name) }
                shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.drop(name) }
            }
            ledgers.list().shouldBeEmpty()
        }

        test("the list tells how each ledger stands, also of those it may not read, and nothing of other schemas") {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            listOf("altered", "current", "newer", "order").forEach(ledgers::create)
            ledger.run(
                "CREATE SCHEMA notes",
                "CREATE TABLE notes.runledger_notes (id int)",
                "UPDATE altered.runledger_schema_history SET checksum = 1 WHERE version = '2'",
                "INSERT INTO newer.runledger_migration_history (version) VALUES (99)",
            )
            val reader = ledger.asRole {
                listOf("GRANT USAGE ON SCHEMA current TO $it", "GRANT SELECT ON ALL TABLES IN SCHEMA current TO $it")
            }

            ledgers.list().map { "${it.schema} ${it.version} ${it.state}" } shouldContainExactly
                listOf("altered $current ALTERED", "current $current CURRENT", "newer $current TOO_NEW", "order $current CURRENT")
            Ledgers.of(reader).list().map { "${it.schema} ${it.version} ${it.state}" } shouldContainExactly
                listOf("altered null UNREADABLE", "current $current CURRENT", "newer null UNREADABLE", "order null UNREADABLE")
        }
    })
