package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

private val charge = JobType.builder("charge", Int::class.javaObjectType)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .build()

/** A handler that books a payment and its own success in one transaction. */
private fun DataSource.booking(work: (Connection) -> Unit): JobOutcome = connection.use { connection ->
    connection.autoCommit = false
    work(connection)
    connection.commit()
    JobOutcome.succeeded("ignored")
}

private fun Connection.pay(job: JobContext<Int>) {
    prepareStatement("INSERT INTO payments (amount) VALUES (?)").use {
        it.setInt(1, job.payload())
        it.executeUpdate()
    }
}

class TransactionalCompletionSpec :
    FunSpec({
        fun ledger() = freshLedger().apply {
            define(charge)
            run("CREATE TABLE payments (amount int NOT NULL)")
        }

        fun TestLedger.payments() = value("SELECT count(*) FROM payments")

        test("business writes and the job's success are committed together, and the returned value is ignored") {
            val ledger = ledger()
            val id = ledger.enqueue(charge, 10)
            val handlers = handlers {
                blocking(charge) { job ->
                    ledger.pool.booking {
                        it.pay(job)
                        job.settleIn(it, "receipt 1")
                    }
                }
            }

            val report = working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.payments() shouldBe "1"
            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            ledger.job(id).output() shouldBe Json.of("\"receipt 1\"")
            report.finished shouldBe 1
        }

        test("a step settles with what it contributes, and what its workflow refuses is refused before the commit") {
            val ledger = ledger()
            val workflow = WorkflowRequest.builder("till").contextMerge(ContextMerge.REFUSE).context(mapOf("shop" to "old"))
            val charged = workflow.job("charge", charge, 10)
            workflow.job("again") { it.runs(charge, 20).after(charged).maxAttempts(1) }
            val run = ledger.client.workflows.enqueue(workflow.build()).runId()
            val handlers = handlers {
                blocking(charge) { job ->
                    val success = JobOutcome.succeeded("paid ${job.payload()}")
                        .contributing(if (job.payload() == 10) "till" else "shop", job.payload())
                    ledger.pool.booking {
                        it.pay(job)
                        job.settleIn(it, success)
                    }
                }
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRun(Scope.global(), run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
            }

            ledger.client.workflows.get(Scope.global(), run).context() shouldBe Json.of("""{"shop": "old", "till": 10}""")
            ledger.client.workflows.getStep(Scope.global(), run, "charge").output() shouldBe Json.of("\"paid 10\"")
            ledger.client.workflows.getStep(Scope.global(), run, "again").lastErrorMessage().shouldNotBeNull() shouldContain
                "already has another value under 'shop'"
            ledger.payments() shouldBe "1"
        }

        test("only a success can be written in the handler's transaction") {
            val ledger = ledger()
            val id = ledger.enqueue(charge, 10) { maxAttempts(1) }
            val handlers = handlers {
                blocking(charge) { job -> ledger.pool.booking { job.settleIn(it, JobOutcome.continueNow()) } }
            }

            working(ledger.client, handlers) { it.await("dead-lettered", id) }

            ledger.job(id).lastErrorMessage().shouldNotBeNull() shouldContain "CONTINUE is not one"
        }

        test("when the transaction is rolled back nothing has happened, and the job is tried again") {
            val ledger = ledger()
            val id = ledger.enqueue(charge, 10)
            val tries = AtomicInteger()
            val handlers = handlers {
                blocking(charge) { job ->
                    ledger.pool.booking {
                        it.pay(job)
                        job.settleIn(it)
                        if (tries.incrementAndGet() == 1) error("the bank hung up")
                    }
                }
            }

            working(ledger.client, handlers) {
                (it.await("retried", id).detail as JobFailure).message() shouldContain "the bank hung up"
                it.await("succeeded", id)
            }

            ledger.payments() shouldBe "1"
            ledger.job(id).attempt() shouldBe 2
        }

        test("a handler that rolls back and returns all the same has failed") {
            val ledger = ledger()
            val id = ledger.enqueue(charge, 10)
            val tries = AtomicInteger()
            val handlers = handlers {
                blocking(charge) { job ->
                    ledger.pool.booking {
                        it.pay(job)
                        job.settleIn(it)
                        if (tries.incrementAndGet() == 1) it.rollback()
                    }
                }
            }

            working(ledger.client, handlers) {
                (it.await("retried", id).detail as JobFailure).message() shouldContain "not committed"
                it.await("succeeded", id)
            }

            ledger.payments() shouldBe "1"
        }

        test("a transaction that takes long neither loses its job nor holds up the leases of others") {
            val ledger = ledger()
            val slow = ledger.enqueue(charge, 1)
            val other = ledger.enqueue(charge, 2)
            val go = CountDownLatch(1)
            val handlers = handlers {
                blocking(charge) { job ->
                    if (job.payload() == 1) {
                        ledger.pool.booking {
                            it.pay(job)
                            job.settleIn(it)
                            go.await()
                        }
                    } else {
                        // Two renewals of this job's lease have come through while the other one's row is locked.
                        val renewal = "SELECT last_heartbeat_at FROM runledger.job_queue WHERE id = '$other'"
                        repeat(2) {
                            val before = ledger.value(renewal)
                            while (ledger.value(renewal) == before) Thread.onSpinWait()
                        }
                        go.countDown()
                        JobOutcome.succeeded()
                    }
                }
            }

            working(ledger.client, handlers, quick { lease(Duration.ofSeconds(1)) }) {
                it.await("succeeded", other)
                it.await("succeeded", slow)
            }

            ledger.payments() shouldBe "1"
        }

        test("a job that was canceled meanwhile refuses the handler's transaction") {
            val ledger = ledger()
            val id = ledger.enqueue(charge, 10)
            val handlers = handlers {
                blocking(charge) { job ->
                    ledger.run("UPDATE runledger.job_queue SET lease_id = gen_random_uuid()")
                    ledger.pool.booking {
                        it.pay(job)
                        job.settleIn(it)
                    }
                }
            }

            working(ledger.client, handlers) { it.await("lost", id) }

            ledger.payments() shouldBe "0"
        }
    })
