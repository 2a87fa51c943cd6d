package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode

class MigrateRefusalSpec :
    FunSpec({
        test("a read-only database is not migrated") {
            val ledger = emptyLedger()
            ledger.run("ALTER DATABASE ${ledger.database.name} SET default_transaction_read_only = on")

            shouldRefuse(ErrorCode.DB_READ_ONLY) { ledger.client.migrate() }
        }

        test("a read-only database with a complete ledger needs no migration and passes the check") {
            val ledger = freshLedger()
            ledger.run("ALTER DATABASE ${ledger.database.name} SET default_transaction_read_only = on")

            ledger.client.migrate().applied.shouldBeEmpty()
            ledger.client.requireCompatibleSchema()
        }

        test("a role that may not create a schema is told so, and nothing is left behind") {
            val ledger = emptyLedger()
            val role = RunledgerClient.create(ledger.asRole())

            shouldRefuse(ErrorCode.PERMISSION_DENIED) { role.migrate() }.internalMessage() shouldContain
                "permission denied for database"
            ledger.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'runledger'").shouldBeEmpty()
        }

        test("a role that may not create tables in the schema is told so") {
            val ledger = emptyLedger("given")
            ledger.run("CREATE SCHEMA given")
            val guest = ledger.asRole { listOf("GRANT USAGE ON SCHEMA given TO $it") }
            val role = RunledgerClient.builder(guest).schema("given").build()

            shouldRefuse(ErrorCode.PERMISSION_DENIED) { role.migrate() }.message shouldContain "Grant it CREATE"
        }

        test("a migration that fails keeps what was complete, says why to the operator, and goes on once that is mended") {
            val ledger = emptyLedger()
            ledger.run("CREATE SCHEMA runledger", "CREATE TABLE runledger.job_schedules (secret text)")

            val refusal = shouldRefuse(ErrorCode.SCHEMA_MIGRATION_FAILED) { ledger.client.migrate() }

            refusal.internalMessage() shouldContain "\"job_schedules\" already exists"
            refusal.message shouldNotContain "job_schedules"
            ledger.rows("SELECT version FROM runledger.runledger_migration_history ORDER BY 1") shouldBe listOf("1", "2")

            ledger.run("DROP TABLE runledger.job_schedules")
            ledger.client.migrate().applied shouldContain "V3 schedules"
            ledger.client.requireCompatibleSchema()
        }
    })
