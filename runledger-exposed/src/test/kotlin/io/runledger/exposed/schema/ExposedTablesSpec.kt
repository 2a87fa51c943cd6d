package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.table.LedgerTables
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.value.UuidV7
import org.jetbrains.exposed.v1.core.JoinType
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.and
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.core.inList
import org.jetbrains.exposed.v1.core.java.javaUUID
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.select
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.update
import java.math.BigDecimal
import java.time.Instant
import java.util.UUID

class ExposedTablesSpec :
    FunSpec({
        val finished = Instant.parse("2026-03-29T01:30:00.123456789Z")

        fun LedgerTables.insertJob(jobId: UUID) {
            jobDefinitions.insert { it[jobType] = "mail.send" }
            jobQueue.insert {
                it[id] = jobId
                it[jobType] = "mail.send"
                it[maxAttempts] = 3
                it[status] = JobStatus.SUCCEEDED
                it[finishedAt] = finished
                it[payload] = Json.of("""{"to": "o'hara \\ é"}""")
                it[progressDone] = 1
                it[progressTotal] = 3
            }
        }

        test("every kind of column goes in and comes out, also from a schema with a reserved name") {
            val ledger = emptyLedger("order").also { it.client.migrate() }
            val queue = ledger.client.tables.jobQueue
            val jobId = UuidV7.next()

            val row = ledger.exposed {
                ledger.client.tables.insertJob(jobId)
                queue.selectAll().where { (queue.id eq jobId) and (queue.status inList listOf(JobStatus.SUCCEEDED)) }.single()
            }

            row[queue.id] shouldBe jobId
            row[queue.organizationId] shouldBe null
            row[queue.status] shouldBe JobStatus.SUCCEEDED
            row[queue.finishedAt] shouldBe Instant.parse("2026-03-29T01:30:00.123456Z")
            row[queue.payload] shouldBe Json.of("""{"to": "o'hara \\ é"}""")
            row[queue.output] shouldBe null
            row[queue.priority] shouldBe 100
            row[queue.progressPct] shouldBe BigDecimal("33.33")
            ledger.value("SELECT extract(epoch FROM finished_at) FROM \"order\".job_queue") shouldBe "1774747800.123456"
        }

        test("enums stored as text are the model's constants") {
            val ledger = freshLedger()
            val attempts = ledger.client.tables.jobAttempts

            val read = ledger.exposed {
                attempts.insert {
                    it[jobId] = UuidV7.next()
                    it[runNumber] = 1
                    it[attempt] = 1
                    it[leasedAt] = finished
                    it[startedAt] = finished
                    it[finishedAt] = finished
                    it[leaseSeconds] = 30
                    it[outcome] = AttemptOutcome.RETRYABLE
                    it[workerId] = "w1"
                    it[claimOrigin] = ClaimOrigin.WORKER_PRESTART
                }
                attempts.update({ attempts.claimOrigin eq ClaimOrigin.WORKER_PRESTART }) { it[outcome] = AttemptOutcome.TIMEOUT }
                attempts.selectAll().single()
            }

            read[attempts.claimOrigin] shouldBe ClaimOrigin.WORKER_PRESTART
            read[attempts.outcome] shouldBe AttemptOutcome.TIMEOUT
            read[attempts.retryTimingSource] shouldBe null
        }

        test("a service joins the ledger with its own tables") {
            val ledger = freshLedger()
            val jobId = UuidV7.next()
            val mails = object : Table("mails") {
                val job = javaUUID("job_id")
                val subject = text("subject")
            }
            ledger.run("CREATE TABLE mails (job_id uuid, subject text)", "INSERT INTO mails VALUES ('$jobId', 'hello')")
            val queue = ledger.client.tables.jobQueue

            val subjects = ledger.exposed {
                ledger.client.tables.insertJob(jobId)
                mails
                    .join(queue, JoinType.INNER, mails.job, queue.id)
                    .select(mails.subject, queue.jobType)
                    .map { it[mails.subject] to it[queue.jobType] }
            }

            subjects shouldContainExactly listOf("hello" to "mail.send")
        }

        test("two ledgers in one transaction keep to themselves") {
            val ledger = freshLedger()
            val other = RunledgerClient.builder(ledger.dataSource).schema("other").build().also { it.migrate() }

            ledger.exposed {
                ledger.client.tables.insertJob(UuidV7.next())
                other.tables.insertJob(UuidV7.next())
                other.tables.jobQueue.insert {
                    it[jobType] = "mail.send"
                    it[maxAttempts] = 1
                }
            }

            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
            ledger.value("SELECT count(*) FROM other.job_queue") shouldBe "2"
        }
    })
