package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.time.Duration

private val success = Verdict.Succeed(null)

/** Settlements in a transaction of the caller's. */
class JoinedSettlementSpec :
    FunSpec({
        fun <T> TestLedger.transaction(isolation: Int = Connection.TRANSACTION_READ_COMMITTED, work: (Connection) -> T): T =
            database.connect().use { connection ->
                connection.transactionIsolation = isolation
                connection.autoCommit = false
                work(connection).also { connection.rollback() }
            }

        fun Connection.lock(table: String, id: Any, how: String = "") =
            createStatement().use { it.execute("SELECT FROM runledger.$table WHERE id = '$id' FOR NO KEY UPDATE $how") }

        fun TestLedger.step(): ClaimedJob {
            val flow = WorkflowRequest.builder("flow").apply { job("only") { it.runs("mail", Json.EMPTY_OBJECT) } }.build()
            client.workflows.enqueue(flow)
            return claim().single()
        }

        fun TestLedger.own(): ClaimedJob {
            enqueue()
            return claim().single()
        }

        /** Settles [jobs] in one transaction while [holder] has its locks. The call may time out. */
        fun TestLedger.settlingBehind(holder: Connection, jobs: List<ClaimedJob>, work: () -> Unit) {
            racing(2) { party ->
                if (party == 0) {
                    runCatching {
                        transaction { connection ->
                            client.within(connection).leases.settle(jobs.associate { it.lease() to success })
                            connection.commit()
                        }
                    }
                } else {
                    awaitLockWait()
                    work()
                    holder.commit()
                }
            }
        }

        test("who waits for a run holds no job yet, so that the holder of the run gets every job it needs") {
            val ledger = freshLedger().apply { define("mail") }
            val jobs = listOf(ledger.own(), ledger.step())
            val run = checkNotNull(jobs[1].step()).runId()

            ledger.transaction { holder ->
                holder.lock("workflow_runs", run)
                ledger.settlingBehind(holder, jobs) { holder.lock("job_queue", jobs[0].lease().jobId(), "NOWAIT") }
            }
        }

        test("jobs are locked in the order of their ids, be they steps or not") {
            val ledger = freshLedger().apply { define("mail") }
            val jobs = listOf(ledger.step(), ledger.own())

            ledger.transaction { holder ->
                holder.lock("job_queue", jobs[0].lease().jobId())
                ledger.settlingBehind(holder, jobs.reversed()) { holder.lock("job_queue", jobs[1].lease().jobId(), "NOWAIT") }
            }
        }

        test("steps and jobs of their own are settled together or not at all, whatever they were said to be") {
            val ledger = freshLedger().apply { define("mail") }
            val jobs = listOf(ledger.own(), ledger.step(), ledger.own())

            ledger.transaction { connection ->
                val settled = ledger.client.within(connection).leases.settle(jobs.associate { it.lease() to success })
                settled.map { it.result() } shouldContainExactly List(3) { Result.SUCCEEDED }
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED'") shouldBe "3"
            ledger.transaction { connection ->
                ledger.client.within(connection).leases.settle(jobs.associate { it.lease() to success })
                connection.commit()
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'") shouldBe "3"
            ledger.value("SELECT status FROM runledger.workflow_runs") shouldBe "SUCCEEDED"
        }

        listOf(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE).forEach { isolation ->
            test(
                "with isolation $isolation a transaction that settles first succeeds beside renewals, a later one is told why not",
            ) {
                val ledger = freshLedger().apply { define("mail") }
                val (first, late) = listOf(ledger.own(), ledger.own())
                fun renew() = ledger.client.leases.renew(listOf(first.lease(), late.lease()), Duration.ofMinutes(1))

                ledger.transaction(isolation) { connection ->
                    ledger.client.within(
                        connection,
                    ).leases.settle(mapOf(first.lease() to success)).single().result() shouldBe
                        Result.SUCCEEDED
                    renew().map { it.answer() } shouldContainExactly listOf(Renewal.Answer.BUSY, Renewal.Answer.RENEWED)
                    connection.commit()
                }
                ledger.transaction(isolation) { connection ->
                    connection.createStatement().use { it.execute("SELECT count(*) FROM runledger.job_queue") }
                    renew()
                    val refusal = shouldRefuse(ErrorCode.DB_CONTENTION) {
                        ledger.client.within(connection).leases.settle(mapOf(late.lease() to success))
                    }
                    refusal.message!! shouldContain "READ COMMITTED"
                }

                ledger.value("SELECT string_agg(status::text, ' ' ORDER BY id) FROM runledger.job_queue") shouldBe
                    "SUCCEEDED LEASED"
            }
        }

        test(
            "a joined call that runs into a statement timeout leaves the transaction usable, and says that it may be tried again",
        ) {
            val ledger = freshLedger().apply { define("mail") }
            val job = ledger.own()

            ledger.transaction { holder ->
                holder.lock("job_queue", job.lease().jobId())
                ledger.transaction { connection ->
                    val leases = ledger.client.within(connection).leases
                    connection.createStatement().use { it.execute("SET LOCAL statement_timeout = '50ms'") }
                    val refusal = shouldRefuse(ErrorCode.DB_STATEMENT_CANCELED) {
                        leases.settle(mapOf(job.lease() to success))
                    }
                    refusal.isTransient shouldBe true
                    holder.rollback()
                    leases.settle(mapOf(job.lease() to success)).single().result() shouldBe Result.SUCCEEDED
                }
            }
        }

        test("a transaction whose own statement failed is refused by name: it can only be rolled back") {
            val ledger = freshLedger().apply { define("mail") }
            val job = ledger.own()

            ledger.transaction { connection ->
                runCatching {
                    connection.createStatement().use { it.execute("SET LOCAL statement_timeout = '1ms'; SELECT pg_sleep(9)") }
                }.isFailure shouldBe true
                val refusal = shouldRefuse(ErrorCode.DB_TRANSACTION_ABORTED) {
                    ledger.client.within(connection).leases.settle(mapOf(job.lease() to success))
                }
                refusal.isTransient shouldBe false
                connection.rollback()
                ledger.client.within(connection).leases.settle(mapOf(job.lease() to success)).single().result() shouldBe
                    Result.SUCCEEDED
            }
        }
    })
