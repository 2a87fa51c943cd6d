package io.runledger.exposed.sql

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCode
import org.postgresql.util.PSQLException
import org.postgresql.util.ServerErrorMessage
import java.sql.SQLException
import java.sql.SQLTransientConnectionException
import javax.sql.DataSource

class SqlErrorsSpec :
    FunSpec({
        val errors = SqlErrors()

        fun TestLedger.refused(code: ErrorCode, sql: String, errors: SqlErrors = SqlErrors()) = withClue(sql) {
            shouldRefuse(code) { errors.translating { database.connect().use { it.createStatement().execute(sql) } } }
        }

        fun unpatientPool(source: DataSource) = HikariDataSource(
            HikariConfig().also {
                it.dataSource = source
                it.maximumPoolSize = 1
                it.connectionTimeout = 250
                it.initializationFailTimeout = -1
            },
        )

        test("violations of the ledger's rules have the ledger's codes") {
            val ledger = freshLedger()
            val job = "INSERT INTO runledger.job_queue (job_type, max_attempts, idempotency_key, enqueue_request) " +
                "VALUES ('t', 1, 'once', '{}')"
            ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('t')", job)

            ledger.refused(ErrorCode.JOB_ALREADY_ENQUEUED, job).shouldBeInstanceOf<ConflictException>()
            ledger.refused(
                ErrorCode.DEFINITION_NOT_FOUND,
                "INSERT INTO runledger.job_runtime_configs (job_type, schema_version, config) VALUES ('x', 1, '{}')",
            )
            ledger.refused(ErrorCode.DB_STILL_REFERENCED, "DELETE FROM runledger.job_definitions")
            ledger.refused(ErrorCode.DB_UNIQUE, "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')")
            ledger.refused(ErrorCode.DB_RULE, "INSERT INTO runledger.job_definitions (job_type) VALUES (' ')")
            ledger.refused(ErrorCode.DB_REQUIRED, "INSERT INTO runledger.job_definitions (job_type) VALUES (NULL)")
            ledger.refused(
                ErrorCode.DB_MISSING_REFERENCE,
                "INSERT INTO runledger.job_logs (job_id, level, message) VALUES (gen_random_uuid(), 'i', 'm')",
            )
        }

        test("a refused delete and a missing reference are told apart in any language of the server") {
            fun refusal(message: String, detail: String): ErrorCode {
                val fields = mapOf(
                    'S' to "ERROR",
                    'C' to "23503",
                    'M' to message,
                    'D' to detail,
                    's' to "runledger",
                    't' to "job_queue",
                    'n' to "fk_job_runtime_configs_job_type",
                )
                val sent = fields.entries.joinToString("\u0000", postfix = "\u0000") { (kind, text) -> "$kind$text" }
                return errors.translate(PSQLException(ServerErrorMessage(sent))).code()
            }

            val missing = listOf(
                "Key (job_type)=(job_queue) is not present in table \"job_definitions\".",
                "Schlüssel (job_type)=(a)b) ist nicht in Tabelle »job_definitions« vorhanden.",
                "La clé (job_type)=(x) n'est pas présente dans la table « job_definitions ».",
                "テーブル\"job_definitions\"にキー(job_type)=(job_queue)がありません",
                "Key is not present in table \"job_queue_types\".",
            )
            val referenced = listOf(
                "Key (job_type)=(x) is still referenced from table \"job_queue\".",
                "Auf Schlüssel (job_type)=(x) wird noch aus Tabelle »job_queue« verwiesen.",
                "La clé (job_type)=(x) est toujours référencée à partir de la table « job_queue ».",
                "テーブル\"job_queue\"からキー(job_type)=(x)がまだ参照されています",
                "Key is still referenced from table \"job_queue\".",
            )
            missing.forEach { withClue(it) { refusal("…", it) shouldBe ErrorCode.DEFINITION_NOT_FOUND } }
            referenced.forEach { withClue(it) { refusal("…", it) shouldBe ErrorCode.DB_STILL_REFERENCED } }
        }

        test("the safe message holds neither SQL nor values, the internal one the database's words") {
            val ledger = freshLedger()
            val insert = "INSERT INTO runledger.job_definitions (job_type) VALUES ('secret')"
            ledger.run(insert)

            val refusal = ledger.refused(ErrorCode.DB_UNIQUE, insert)

            refusal.message shouldNotContain "secret"
            refusal.message shouldNotContain "job_definitions"
            refusal.internalMessage() shouldContain "job_definitions_pkey"
            refusal.internalMessage() shouldContain "secret"
            refusal.cause.shouldBeInstanceOf<SQLException>()
        }

        test("a row that breaks a rule is shown nowhere, neither in messages nor in a logged stack trace") {
            val ledger = freshLedger().define("mail")
            val refusals = listOf(
                ledger.refused(
                    ErrorCode.DB_RULE,
                    "INSERT INTO runledger.job_queue (job_type, max_attempts, payload) VALUES ('mail', -1, '{\"card\":\"secret\"}')",
                ),
                ledger.refused(
                    ErrorCode.DB_REQUIRED,
                    "INSERT INTO runledger.job_queue (job_type, max_attempts, payload) VALUES ('mail', NULL, '{\"card\":\"secret\"}')",
                ),
            )

            refusals.forEach { refusal ->
                refusal.stackTraceToString() shouldNotContain "secret"
                refusal.stackTraceToString() shouldContain "violates"
                refusal.internalMessage().shouldNotBeNull() shouldNotContain "secret"
            }
        }

        test("every constraint with a meaning of its own exists") {
            val catalog = freshLedger().catalog()
            val known = catalog.relations.flatMap { table -> table.constraints.map { it.name } + table.indexes.map { it.name } }

            (LedgerConstraints.names - known.toSet()).shouldBeEmpty()
        }

        test("the service's word on a constraint comes first") {
            val ledger = freshLedger()
            ledger.run(
                "CREATE TABLE organizations (id uuid PRIMARY KEY)",
                "ALTER TABLE runledger.job_queue ADD CONSTRAINT fk_job_queue_organization " +
                    "FOREIGN KEY (organization_id) REFERENCES organizations (id)",
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
            )
            val insert = "INSERT INTO runledger.job_queue (job_type, max_attempts, organization_id) " +
                "VALUES ('t', 1, gen_random_uuid())"
            val host = ConstraintErrors { if (it == "fk_job_queue_organization") ErrorCode.INVALID_ARGUMENT else null }

            ledger.refused(ErrorCode.INVALID_ARGUMENT, insert, SqlErrors(host))
            ledger.refused(ErrorCode.DB_MISSING_REFERENCE, insert)
        }

        test("a statement that fails for another reason is a failed query, and what is no database failure stays what it is") {
            freshLedger().refused(ErrorCode.DB_QUERY_FAILED, "SELECT 1 / 0")
            val own = IllegalStateException("mine")

            runCatching { errors.translating { throw own } }.exceptionOrNull() shouldBeSameInstanceAs own
        }

        test("rights, read-only mode, locks and collisions are told apart") {
            val ledger = freshLedger()
            val powerless = ledger.asRole()

            shouldRefuse(ErrorCode.PERMISSION_DENIED) {
                errors.translating { powerless.connection.use { it.createStatement().execute("TABLE runledger.job_queue") } }
            }
            ledger.refused(ErrorCode.DB_READ_ONLY, "BEGIN READ ONLY; DELETE FROM runledger.job_logs")
            ledger.database.connect().use { holder ->
                holder.autoCommit = false
                holder.createStatement().execute("LOCK TABLE runledger.job_logs")
                ledger.refused(ErrorCode.DB_LOCK_TIMEOUT, "BEGIN; LOCK TABLE runledger.job_logs NOWAIT").isTransient shouldBe true
            }
            ledger.refused(ErrorCode.DB_CONTENTION, "DO \$\$ BEGIN RAISE SQLSTATE '40001'; END \$\$").isTransient shouldBe true
            ledger.refused(ErrorCode.DB_CONTENTION, "DO \$\$ BEGIN RAISE SQLSTATE '40P01'; END \$\$")
            ledger.refused(ErrorCode.DB_STATEMENT_CANCELED, "SET statement_timeout = 1; SELECT pg_sleep(9)").isTransient shouldBe
                true
        }

        test("a session that was ended is unreachable") {
            val ledger = freshLedger()

            val refusal = ledger.refused(ErrorCode.DB_UNREACHABLE, "SELECT pg_terminate_backend(pg_backend_pid())")

            refusal.isTransient shouldBe true
        }

        test("a pool without a free connection is exhausted") {
            val ledger = freshLedger()
            unpatientPool(ledger.dataSource).use { pool ->
                pool.connection.use {
                    shouldRefuse(ErrorCode.DB_POOL_EXHAUSTED) { errors.translating { pool.connection.close() } }
                }
            }
        }

        test("a pool that cannot connect says why, whether it starts at once or when asked") {
            val ledger = freshLedger()
            val wrong = ledger.asUser("nobody_knows", "wrong")
            unpatientPool(wrong).use { pool ->
                shouldRefuse(ErrorCode.DB_AUTHENTICATION) { errors.translating { pool.connection.close() } }
            }
            HikariDataSource().use { lazy ->
                lazy.dataSource = wrong
                shouldRefuse(ErrorCode.DB_AUTHENTICATION) { errors.translating { lazy.connection.close() } }
            }
        }

        test("the states that no test can provoke are known, too") {
            val states = mapOf(
                "28000" to ErrorCode.DB_AUTHENTICATION,
                "08006" to ErrorCode.DB_UNREACHABLE,
                "57P03" to ErrorCode.DB_UNREACHABLE,
                "53300" to ErrorCode.DB_UNREACHABLE,
                "53100" to ErrorCode.DB_OUT_OF_RESOURCES,
                "53200" to ErrorCode.DB_OUT_OF_RESOURCES,
                "58030" to ErrorCode.DB_SERVER_FAULT,
                "XX000" to ErrorCode.DB_SERVER_FAULT,
                "25P04" to ErrorCode.DB_STATEMENT_CANCELED,
                "23001" to ErrorCode.DB_STILL_REFERENCED,
            )
            for ((state, code) in states) {
                errors.translate(SQLException("x", state)).code() shouldBe code
                val ofPool = SQLTransientConnectionException("no connection", SQLException("x", state))
                errors.translate(RuntimeException(ofPool)).code() shouldBe code
            }
            errors.translate(RuntimeException("no database in it")).code() shouldBe ErrorCode.DB_QUERY_FAILED
            val ofBatch = SQLException("batch").also { it.nextException = SQLException("x", "40001") }
            errors.translate(ofBatch).code() shouldBe ErrorCode.DB_CONTENTION
            errors.translate(SQLException("x", "23505")).internalMessage().shouldNotBeNull() shouldContain "SQLSTATE 23505"
        }
    })
