package io.runledger.exposed.catalog

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import org.postgresql.ds.PGSimpleDataSource
import java.net.ServerSocket

class SchemaCheckSpec :
    FunSpec({
        test("a migrated ledger passes") {
            freshLedger().client.requireCompatibleSchema()
        }

        test("an empty database is missing its ledger, and stays empty") {
            val ledger = emptyLedger()

            val refusal = shouldRefuse(ErrorCode.SCHEMA_MISSING) { ledger.client.requireCompatibleSchema() }

            refusal.message shouldContain "no schema 'runledger'"
            refusal.message shouldContain "migrate()"
            ledger.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'runledger'").shouldBeEmpty()
        }

        test("an empty schema is missing its ledger, too") {
            val ledger = emptyLedger("public")

            shouldRefuse(ErrorCode.SCHEMA_MISSING) { ledger.client.requireCompatibleSchema() }.message shouldContain
                "The schema 'public' holds no ledger"
        }

        test("a ledger that lacks migrations is outdated, and the refusal names them") {
            val ledger = freshLedger()
            ledger.run("DELETE FROM runledger.runledger_schema_history WHERE version::int > 3")

            val refusal = shouldRefuse(ErrorCode.SCHEMA_OUTDATED) { ledger.client.requireCompatibleSchema() }

            refusal.message shouldContain
                "V4 workflows, V5 views, V6 operators, V7 causes, V8 flow control, V9 backfill, V11 job keys, V12 worker queues. Run migrate()"
            refusal.message shouldNotContain "V3"
        }

        test("a fenced migration this build does not know is too new, for the check and for migrate") {
            val ledger = freshLedger()
            ledger.run("INSERT INTO runledger.runledger_migration_history (version) VALUES (90)")

            val refusal = shouldRefuse(ErrorCode.SCHEMA_TOO_NEW) { ledger.client.requireCompatibleSchema() }

            refusal.message shouldContain "V90"
            refusal.message shouldContain "Upgrade the library"
            shouldRefuse(ErrorCode.SCHEMA_TOO_NEW) { ledger.client.migrate() }
        }

        test("newer migrations outside the fence are tolerated, with the indexes and values they changed") {
            val ledger = freshLedger()
            ledger.run(
                "INSERT INTO runledger.runledger_schema_history " +
                    "VALUES (90, '90', 'later', 'SQL', 'V90__later.sql', 1, 'x', now(), 1, true)",
                "DROP INDEX runledger.idx_job_logs_job",
                "ALTER TYPE runledger.job_event_type ADD VALUE 'MOVED'",
            )

            ledger.client.requireCompatibleSchema()
            ledger.client.migrate().applied.shouldBeEmpty()

            ledger.run("ALTER TABLE runledger.job_logs DROP COLUMN payload")
            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }
        }

        test("a missing column is named") {
            val ledger = freshLedger()
            ledger.run("ALTER TABLE runledger.job_logs DROP COLUMN payload")

            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }.message shouldContain
                "column job_logs.payload is missing"
        }

        test("a missing fence is an altered schema") {
            val ledger = freshLedger()
            ledger.run("DROP TABLE runledger.runledger_migration_history")

            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }.message shouldContain
                "table runledger_migration_history is missing"
        }

        test("many differences are counted, and all stand in the internal message") {
            val ledger = freshLedger()
            ledger.run(
                "DROP TABLE runledger.job_logs, runledger.workflow_run_mutations, runledger.workflow_recoveries",
            )
            ledger.run("DROP TABLE runledger.job_schedule_fires, runledger.workflow_active_claims, runledger.job_runtime_configs")

            val refusal = shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }

            refusal.message shouldContain "more"
            refusal.internalMessage() shouldContain "table job_logs is missing"
            refusal.internalMessage() shouldContain "table workflow_active_claims is missing"
        }

        test("a migration applied with another content is refused by the check and by migrate") {
            val ledger = freshLedger()
            ledger.run("UPDATE runledger.runledger_schema_history SET checksum = 1 WHERE version = '2'")

            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }.message shouldContain
                "migration V2 jobs was applied with another content"
            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.migrate() }
        }

        test("a migration recorded as failed is refused by the check and by migrate") {
            val ledger = freshLedger()
            ledger.run("UPDATE runledger.runledger_schema_history SET success = false WHERE version = '5'")

            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.requireCompatibleSchema() }.message shouldContain
                "migration V5 views is recorded as failed"
            shouldRefuse(ErrorCode.SCHEMA_ALTERED) { ledger.client.migrate() }
        }

        test("a role without any right on DDL can check, and call migrate when there is nothing to do") {
            val ledger = freshLedger()
            val reader = ledger.asRole {
                listOf(
                    "GRANT USAGE ON SCHEMA runledger TO $it",
                    "GRANT SELECT ON runledger.runledger_schema_history, runledger.runledger_migration_history TO $it",
                )
            }
            val client = RunledgerClient.create(reader)

            client.requireCompatibleSchema()
            client.migrate().applied.shouldBeEmpty()
        }

        test("a role that may not even look is told so") {
            val role = RunledgerClient.create(freshLedger().asRole())

            val refusal = shouldRefuse(ErrorCode.PERMISSION_DENIED) { role.requireCompatibleSchema() }

            refusal.internalMessage() shouldContain "permission denied for schema runledger"
        }

        test("an unknown role is an authentication failure") {
            val stranger = RunledgerClient.create(freshLedger().asUser("nobody_knows", "wrong"))

            shouldRefuse(ErrorCode.DB_AUTHENTICATION) { stranger.requireCompatibleSchema() }
            shouldRefuse(ErrorCode.DB_AUTHENTICATION) { stranger.migrate() }
        }

        test("a closed port is unreachable") {
            val port = ServerSocket(0).use { it.localPort }
            val nowhere = RunledgerClient.create(PGSimpleDataSource().also { it.setURL("jdbc:postgresql://127.0.0.1:$port/x") })

            shouldRefuse(ErrorCode.DB_UNREACHABLE) { nowhere.requireCompatibleSchema() }.isTransient shouldBe true
            shouldRefuse(ErrorCode.DB_UNREACHABLE) { nowhere.migrate() }
        }

        test("an unknown database is unreachable and says which it is not") {
            val ledger = freshLedger()
            val elsewhere = ledger.asUser(ledger.database.user, ledger.database.password)
            elsewhere.databaseName = "no_such_database"

            shouldRefuse(ErrorCode.DB_UNREACHABLE) {
                RunledgerClient.create(elsewhere).requireCompatibleSchema()
            }.message shouldContain
                "no database of the configured name"
        }
    })
