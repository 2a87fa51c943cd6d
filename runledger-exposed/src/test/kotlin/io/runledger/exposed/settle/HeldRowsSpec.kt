package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.time.Duration
import java.util.UUID

private val again = Verdict.Retry(JobFailure.retryable("smtp.down", "no answer"), Duration.ofDays(1), null)
private val success = Verdict.Succeed(null)

/** A row that another transaction has locked delays only its own ending; other settlements do not wait for it. */
class HeldRowsSpec :
    FunSpec({
        /** Ends a statement that waits, so that a settlement which waits for another transaction fails instead of hanging. */
        fun TestLedger.impatient(): RunledgerClient =
            RunledgerClient.create(asUser(database.user, database.password).apply { options = "-c statement_timeout=5s" })

        fun keyed(key: String) = JobRequest.builder("mail", Json.EMPTY_OBJECT).idempotencyKey(key).build()

        fun <T> TestLedger.transaction(work: (Connection) -> T): T = database.connect().use { connection ->
            connection.autoCommit = false
            work(connection).also { connection.rollback() }
        }

        fun RunledgerClient.settle(jobs: List<ClaimedJob>, verdict: Verdict): List<SettledJob> =
            leases.settle(jobs.associate { it.lease() to verdict })

        val steps = WorkflowRequest.builder("flow").apply {
            repeat(3) { key -> job("s$key") { it.runs("mail", Json.EMPTY_OBJECT) } }
        }.build()

        fun TestLedger.three(isStep: Boolean): List<ClaimedJob> {
            define("mail")
            if (isStep) client.workflows.enqueue(steps) else repeat(3) { enqueue() }
            return claim()
        }

        mapOf("a success" to success, "a retry" to again).forEach { (name, verdict) ->
            listOf(false, true).forEach { isStep ->
                val whose = if (isStep) "of a step" else "of a job of its own"

                test(
                    "$name $whose whose row is held is busy, its neighbours are written, and it is written once the row is free",
                ) {
                    val ledger = freshLedger()
                    val jobs = ledger.three(isStep)
                    val client = ledger.impatient()
                    val written = if (verdict == success) Result.SUCCEEDED else Result.RETRY_SCHEDULED

                    ledger.transaction { holder ->
                        holder.createStatement().use {
                            it.execute("UPDATE runledger.job_queue SET priority = 7 WHERE id = '${jobs[1].lease().jobId()}'")
                        }
                        client.settle(jobs, verdict).map { it.result() } shouldContainExactly
                            listOf(written, Result.BUSY, written)
                        client.settle(jobs, verdict).map { it.result() } shouldContainExactly
                            listOf(Result.LOST, Result.BUSY, Result.LOST)
                    }

                    client.settle(listOf(jobs[1]), verdict).single().result() shouldBe written
                    ledger.value("SELECT count(*) FROM runledger.job_attempts") shouldBe "3"
                }
            }
        }

        test("what a transaction that ended the job held is lost once that has committed") {
            val ledger = freshLedger()
            val jobs = ledger.three(isStep = false)
            val client = ledger.impatient()

            ledger.transaction { holder ->
                ledger.client.within(holder).jobs.cancel(Scope.everything(), jobs[1].lease().jobId())
                client.settle(jobs, success)[1].result() shouldBe Result.BUSY
                holder.commit()
            }

            client.settle(listOf(jobs[1]), success).single().result() shouldBe Result.LOST
        }

        test("a wrong hint at what a job is changes nothing, held or not") {
            val ledger = freshLedger()
            val jobs = ledger.three(isStep = true)
            val client = ledger.impatient()
            fun settle(job: ClaimedJob) = client.leases.settle(mapOf(job.lease() to success)).single().result()

            ledger.transaction { holder ->
                holder.createStatement().use {
                    it.execute("UPDATE runledger.job_queue SET priority = 7 WHERE id = '${jobs[1].lease().jobId()}'")
                }
                settle(jobs[0]) shouldBe Result.SUCCEEDED
                settle(jobs[1]) shouldBe Result.BUSY
            }
            settle(jobs[1]) shouldBe Result.SUCCEEDED
        }

        test("an open transaction that enqueued a key again keeps neither that job's ending waiting nor any other") {
            val ledger = freshLedger().apply { define("mail") }
            listOf("a", "b").forEach { ledger.client.jobs.enqueue(keyed(it)) }
            ledger.enqueue()
            val jobs = ledger.claim()
            val client = ledger.impatient()

            ledger.transaction { host ->
                ledger.client.within(host).jobs.enqueueAll(listOf(keyed("a"), keyed("b"))).none { it.isNew } shouldBe true

                client.settle(jobs.take(1), again).single().result() shouldBe Result.RETRY_SCHEDULED
                client.settle(jobs.drop(1), success).map { it.result() }.distinct() shouldBe listOf(Result.SUCCEEDED)
            }
        }

        test("a run held by another transaction makes the endings of its own steps busy, and those of no other run") {
            val ledger = freshLedger().apply { define("mail") }
            fun run(): Pair<UUID, ClaimedJob> {
                val request = WorkflowRequest.builder("flow").apply { job("only") { it.runs("mail", Json.EMPTY_OBJECT) } }.build()
                return ledger.client.workflows.enqueue(request).runId() to ledger.claim().single()
            }
            val (heldRun, held) = run()
            val (_, free) = run()
            val (goneRun, orphan) = run()
            ledger.run("DELETE FROM runledger.workflow_runs WHERE id = '$goneRun'")

            val settled = ledger.transaction { holder ->
                holder.createStatement().use {
                    it.execute("SELECT FROM runledger.workflow_runs WHERE id = '$heldRun' FOR NO KEY UPDATE")
                }
                ledger.client.settle(listOf(held, free, orphan), success)
            }

            settled.map { it.result() } shouldContainExactly listOf(Result.BUSY, Result.SUCCEEDED, Result.SUCCEEDED)
        }

        test("keyed enqueues of existing keys and settlements of their jobs never wait for each other in a circle") {
            val ledger = freshLedger().apply { define("mail") }
            val keys = (1..8).map { "k$it" }
            ledger.client.jobs.enqueueAll(keys.map(::keyed))
            repeat(50) { round ->
                ledger.run("UPDATE runledger.job_queue SET next_run_at = now()")
                val jobs = ledger.client.leases.claim(ClaimRequest.of(listOf("mail"), "w$round", Duration.ofMinutes(1), 100))
                val answers = racing(3) { party ->
                    when (party) {
                        0 -> ledger.client.settle(jobs.shuffled(), Verdict.Snooze(Duration.ofDays(1))).map { it.result() }

                        else -> ledger.transaction { host ->
                            val order = if (party == 1) keys else keys.reversed()
                            order.chunked(3).flatMap { ledger.client.within(host).jobs.enqueueAll(it.map(::keyed)) }
                                .map { it.isNew }
                        }
                    }
                }
                answers shouldBe listOf(List(8) { Result.SNOOZED }, List(8) { false }, List(8) { false })
            }
        }
    })
