package io.runledger.exposed.definition

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.workflow.WorkflowRequest
import java.sql.SQLException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

/** Jobs and steps have no foreign key to their definition. */
class UsedDefinitionsSpec :
    FunSpec({
        val delete = "DELETE FROM runledger.job_definitions WHERE job_type = 'mail'"

        fun TestLedger.shouldKeep(sql: String, usedBy: String) {
            val refusal = shouldThrow<SQLException> { run(sql) }
            refusal.sqlState shouldBe "23503"
            refusal.message!! shouldContain "still referenced from table \"$usedBy\""
        }

        test("the definition of a job is neither deleted nor renamed, also after the job has ended") {
            val ledger = freshLedger().define("mail")
            ledger.enqueue()
            ledger.run("UPDATE runledger.job_queue SET status = 'CANCELED', finished_at = now()")

            ledger.shouldKeep(delete, "job_queue")
            ledger.shouldKeep("UPDATE runledger.job_definitions SET job_type = 'post'", "job_queue")
        }

        test("the definition of a step is kept before the step has a job") {
            val ledger = freshLedger().define("mail", "first")
            val request = WorkflowRequest.builder("w")
            val first = request.job("first", JobType.json("first"), Json.EMPTY_OBJECT)
            request.job("second") { it.runs(JobType.json("mail"), Json.EMPTY_OBJECT).after(first) }
            ledger.client.workflows.enqueue(request.build())

            ledger.shouldKeep(delete, "workflow_step_rows")
        }

        test("an unused definition can be deleted, and others changed") {
            val ledger = freshLedger().define("mail", "other")
            ledger.enqueue("other")

            ledger.run("UPDATE runledger.job_definitions SET is_paused = true, job_type = job_type", delete)

            ledger.value("SELECT string_agg(job_type, ',') FROM runledger.job_definitions") shouldBe "other"
        }

        test("a delete waits for an enqueue under way, and is then refused") {
            val ledger = freshLedger().define("mail")
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build())
                val deleting = CompletableFuture.runAsync { ledger.run(delete) }
                ledger.awaitLockWait()

                connection.commit()

                shouldThrow<CompletionException> { deleting.join() }.cause!!.message!! shouldContain "still referenced"
            }
        }
    })
