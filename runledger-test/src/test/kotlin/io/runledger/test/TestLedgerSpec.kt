package io.runledger.test

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.runledger.postgres.TestPostgres
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlin.time.Duration.Companion.milliseconds

class TestLedgerSpec :
    FunSpec({
        fun TestLedger.count(sql: String): Int = dataSource.connection.use { connection ->
            connection.createStatement().executeQuery(sql).let { rows ->
                rows.next()
                rows.getInt(1)
            }
        }

        test("a fresh ledger is migrated and ready") {
            val ledger = freshLedger()

            ledger.client.requireCompatibleSchema()
            ledger.client.migrate().applied shouldBe emptyList()
        }

        test("two ledgers see nothing of each other") {
            val one = freshLedger()
            val other = freshLedger()

            one.dataSource.connection.use {
                it.createStatement().execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')")
            }

            one.database.name shouldNotBe other.database.name
            other.count("SELECT count(*) FROM runledger.job_definitions") shouldBe 0
        }

        test("a ledger may live in a schema of another name") {
            val ledger = freshLedger(schema = "jobs_of_acme")

            ledger.client.schema shouldBe "jobs_of_acme"
            ledger.client.requireCompatibleSchema()
            ledger.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'runledger'") shouldBe 0
        }

        test("a ledger may live on a server that the test has chosen") {
            val postgres = TestPostgres.on(TestPostgres.shared().server)

            TestLedger.freshOn(postgres).use { ledger ->
                ledger.client.requireCompatibleSchema()
                ledger.database.server shouldBe postgres.server
            }
            TestLedger.freshOn(postgres, "jobs_of_acme").use { it.client.schema shouldBe "jobs_of_acme" }
        }

        test("closing a ledger drops its database, also while a connection is open") {
            val ledger = TestLedger.fresh()
            val witness = freshLedger()
            val open = ledger.dataSource.connection

            ledger.close()

            witness.count("SELECT count(*) FROM pg_database WHERE datname = '${ledger.database.name}'") shouldBe 0
            open.isValid(1) shouldBe false
        }

        test("a test waits until a condition holds, and fails with its name if it never does") {
            var looks = 0
            until("the third look") { ++looks == 3 }
            looks shouldBe 3

            val inVain = shouldThrow<AssertionError> { until("the moon is full", 1.milliseconds) { ++looks == 3 } }
            inVain.message shouldContain "until the moon is full"
        }

        test("a failure of the condition ends the wait, and what runs beside it goes on") {
            coroutineScope {
                val beside = async { 42 }
                until("the other one has ended") { beside.isCompleted }
                shouldThrow<IllegalStateException> { until("never") { error("broken") } }
                beside.await() shouldBe 42
            }
        }
    })
