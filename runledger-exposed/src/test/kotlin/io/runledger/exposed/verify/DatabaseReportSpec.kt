package io.runledger.exposed.verify

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.define
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import java.time.Duration
import java.time.Instant

class DatabaseReportSpec :
    FunSpec({
        test("the report has the server, the sizes, the rows and the connections") {
            val ledger = freshLedger().define("mail")
            ledger.run(
                "INSERT INTO runledger.job_queue (job_type, max_attempts) SELECT 'mail', 1 FROM generate_series(1, 5000)",
                "VACUUM ANALYZE runledger.job_queue",
                "CREATE TABLE public.orders (id int)",
            )

            val report = ledger.client.database()

            report.serverVersion() shouldBe ledger.value("SHOW server_version")
            report.databaseName() shouldBe ledger.value("SELECT current_database()")
            report.databaseBytes() shouldBeGreaterThan report.ledgerBytes()
            report.maxConnections().toString() shouldBe ledger.value("SHOW max_connections")
            (report.connections() > 0) shouldBe true
            val names = ledger.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'runledger'")
            report.tables().map { it.name() }.sorted() shouldBe names.sorted()
            names shouldContainAll listOf("job_queue", "job_attempts", "workflow_step_rows")
            report.tables().map { it.totalBytes() } shouldBe report.tables().map { it.totalBytes() }.sortedDescending()
            val queue = report.tables().first()
            queue.name() shouldBe "job_queue"
            queue.totalBytes() shouldBe queue.tableBytes() + queue.indexBytes()
            queue.indexBytes() shouldBeGreaterThan 8_192
            queue.liveRows() shouldBe 5_000
            queue.deadRows() shouldBe 0
            val hourAgo = Instant.now() - Duration.ofHours(1)
            queue.vacuumedAt().shouldNotBeNull() shouldBeGreaterThan hourAgo
            queue.analyzedAt().shouldNotBeNull() shouldBeGreaterThan hourAgo
            report.tables().single { it.name() == "job_logs" }.vacuumedAt().shouldBeNull()
        }

        test("the oldest ended job is that of any ending") {
            val ledger = freshLedger().define("mail")
            ledger.client.database().oldestEndAt().shouldBeNull()

            listOf(
                "SUCCEEDED" to "2020-01-03",
                "CANCELED" to "2020-01-02",
                "DEAD_LETTERED" to "2020-01-01",
            ).forEach { (status, at) ->
                ledger.run(
                    "INSERT INTO runledger.job_queue (job_type, max_attempts, status, finished_at) VALUES ('mail', 1, '$status', '${at}T00:00Z')",
                )
                ledger.client.database().oldestEndAt() shouldBe Instant.parse("${at}T00:00:00Z")
            }
        }

        test("a transaction that keeps a snapshot shows its age") {
            val ledger = freshLedger()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.createStatement().use { it.execute("SELECT pg_current_xact_id()") }

                ledger.client.database().oldestSnapshotAge().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ZERO
                connection.rollback()
            }
        }

        test("a reader of the ledger gets the report, and another schema's ledger its own tables") {
            val ledger = freshLedger()
            ledger.run(checkNotNull(RunledgerClient::class.java.getResource("roles.sql")).readText())
            val reader = ledger.asRole { listOf("GRANT runledger_reader TO $it") }
            RunledgerClient.create(reader).database().tables().size shouldBe ledger.client.database().tables().size

            val other = emptyLedger("order").also { it.client.migrate() }
            other.client.database().tables().map { it.name() } shouldContainAll listOf("job_queue")
        }
    })
