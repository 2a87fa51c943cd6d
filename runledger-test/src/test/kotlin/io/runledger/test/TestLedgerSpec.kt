package io.runledger.test

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe

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

        test("closing a ledger drops its database, also while a connection is open") {
            val ledger = TestLedger.fresh()
            val witness = freshLedger()
            val open = ledger.dataSource.connection

            ledger.close()

            witness.count("SELECT count(*) FROM pg_database WHERE datname = '${ledger.database.name}'") shouldBe 0
            open.isValid(1) shouldBe false
        }
    })
