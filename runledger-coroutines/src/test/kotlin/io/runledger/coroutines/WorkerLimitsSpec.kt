package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

private val export = JobType.of("export", Int::class.javaObjectType)

/** Handlers that exceed a size limit, and the ending of their jobs. The worker and the other jobs continue. */
class WorkerLimitsSpec :
    FunSpec({
        fun TestLedger.small() = RunledgerClient.builder(pool)
            .maxOutputBytes(1_000).maxCheckpointBytes(1_000).maxContextBytes(1_000).maxLogLines(3)
            .build()

        fun TestLedger.letterOf(id: UUID) = client.jobs.deadLetters(Scope.everything(), id).items().single()

        test("outputs that are too large are dead letters with their code, once, and the neighbours succeed") {
            val ledger = freshLedger()
            ledger.define(export)
            val ids = List(20) { ledger.enqueue(export, if (it % 4 == 0) 2_000 else 10) }
            working(ledger.small(), handlers { on(export) { "x".repeat(it.payload()) } }) { witness ->
                val letters = witness.awaitAll("dead-lettered", count = 5)
                witness.awaitAll("succeeded", count = 15)
                letters.map { (it.detail as JobFailure).code() }.distinct() shouldContainExactly listOf("job.output_too_large")
                witness.await("succeeded", ledger.enqueue(export, 5))
            }
            ids.filterIndexed { n, _ -> n % 4 == 0 }.forEach { id ->
                ledger.job(id).let { it.status() to it.attempt() } shouldBe (JobStatus.DEAD_LETTERED to 1)
                ledger.letterOf(id).errorCode() shouldBe "job.output_too_large"
            }
        }

        test(
            "settleIn refuses an output that is too large, the transaction is the handler's to roll back, and the job is parked",
        ) {
            val ledger = freshLedger()
            ledger.define(export)
            ledger.run("CREATE TABLE effects (n int)")
            val id = ledger.enqueue(export, 2_000)
            val handlers = handlers {
                blocking(export) { job ->
                    ledger.pool.connection.use { connection ->
                        connection.autoCommit = false
                        connection.createStatement().use { it.execute("INSERT INTO effects VALUES (1)") }
                        job.settleIn(connection, "x".repeat(job.payload()))
                        connection.commit()
                    }
                    JobOutcome.succeeded()
                }
            }
            working(ledger.small(), handlers) { it.await("dead-lettered", id) }
            ledger.letterOf(id).errorCode() shouldBe "job.output_too_large"
            ledger.value("SELECT count(*) FROM effects") shouldBe "0"
        }

        test("a checkpoint that is too large is the handler's to deal with, and parks the job when it does not") {
            val ledger = freshLedger()
            ledger.define(export)
            val (careful, careless) = List(2) { ledger.enqueue(export, it) }
            val handlers = handlers {
                blocking(export) { job ->
                    job.saveCheckpoint("small")
                    if (job.payload() == 1) job.saveCheckpoint("x".repeat(2_000))
                    val refused = shouldThrow<InvalidRequestException> { job.saveCheckpoint("x".repeat(2_000)) }
                    refused.code() shouldBe ErrorCode.CHECKPOINT_TOO_LARGE
                    JobOutcome.succeeded(job.checkpoint(String::class.java).orElseThrow())
                }
            }
            working(ledger.small(), handlers) {
                it.await("succeeded", careful)
                it.await("dead-lettered", careless)
            }
            ledger.job(careful).output()!!.text() shouldBe "\"small\""
            ledger.letterOf(careless).errorCode() shouldBe "job.checkpoint_too_large"
        }

        test("a step that would make the context too large is a dead letter, its run goes on to its end") {
            val ledger = freshLedger()
            ledger.define(export)
            val flow = WorkflowRequest.builder("flow").also { flow ->
                val first = flow.job("first") { it.runs(export, 700) }
                flow.job("second") { it.runs(export, 700).after(first) }
            }.build()
            val run = ledger.client.workflows.enqueue(flow).runId()
            val handlers = handlers {
                blocking(export) { JobOutcome.succeeded().contributing("${it.jobId()}", "x".repeat(it.payload())) }
            }
            working(ledger.small(), handlers) { witness ->
                (witness.await("dead-lettered").detail as JobFailure).code() shouldBe "workflow.context_too_large"
            }
            ledger.value("SELECT status FROM runledger.workflow_runs WHERE id = '$run'") shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("log lines beyond the limit are left out, and the handler hears nothing of it") {
            val ledger = freshLedger()
            ledger.define(export)
            val id = ledger.enqueue(export, 1)
            working(
                ledger.small(),
                handlers {
                    blocking(export) { job ->
                        repeat(10) { job.log(LogLevel.INFO, "line $it") }
                        JobOutcome.succeeded()
                    }
                },
            ) { it.await("succeeded", id) }
            ledger.client.logs.list(Scope.everything(), id).items().map { it.message() }.let {
                it.take(2) shouldContainExactly listOf("line 0", "line 1")
                it.drop(2).single() shouldContain "dropped"
            }
        }
    })
