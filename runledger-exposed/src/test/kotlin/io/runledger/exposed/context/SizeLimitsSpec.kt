package io.runledger.exposed.context

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.gate
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobType
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.RuntimeConfigRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.util.UUID

/** Values above the size limits of the ledger, and the results. A text of n characters is n + 2 bytes of JSON. */
class SizeLimitsSpec :
    FunSpec({
        val everything = Scope.everything()

        fun text(bytes: Int) = Payload.of("x".repeat(bytes - 2))

        fun ledger() = freshLedger().also { it.client.definitions.declare(JobType.json("mail")) }

        fun TestLedger.small(settings: RunledgerClient.Builder.() -> Unit) =
            RunledgerClient.builder(dataSource).apply(settings).build()

        fun TestLedger.letter(id: UUID) = client.jobs.deadLetters(everything, id).items().single()

        test("an output that is too large parks its job and no other, and is never tried again") {
            val ledger = ledger()
            val client = ledger.small { maxOutputBytes(100) }
            repeat(3) { ledger.enqueue() }
            val (first, second, third) = ledger.claim()
            val settled = client.leases.settle(
                listOf(first to 100, second to 101, third to 5).associate { (job, bytes) ->
                    job.lease() to Verdict.Succeed(text(bytes))
                },
            )

            settled.map { it.result() } shouldContainExactly listOf(Result.SUCCEEDED, Result.DEAD_LETTERED, Result.SUCCEEDED)
            settled[1].refusal()!!.code() shouldBe ErrorCode.OUTPUT_TOO_LARGE
            settled[0].refusal().shouldBeNull()
            val letter = ledger.letter(second.lease().jobId())
            letter.errorCode() shouldBe "job.output_too_large"
            letter.reason() shouldBe DeadLetterReason.FAILURE_KIND_NON_RETRYABLE
            letter.errorMessage() shouldContain "101 bytes"
            ledger.claim().size shouldBe 0
        }

        test("by default an output, a checkpoint and a context have one mebibyte") {
            val ledger = ledger()
            repeat(2) { ledger.enqueue() }
            val (fits, exceeds) = ledger.claim()
            ledger.settle(fits, Verdict.Succeed(text(1 shl 20))).result() shouldBe Result.SUCCEEDED
            shouldRefuse(ErrorCode.CHECKPOINT_TOO_LARGE) {
                ledger.client.leases.report(ProgressReport(exceeds.lease(), Progress.NONE, null, text((1 shl 20) + 1)))
            }
            ledger.settle(exceeds, Verdict.Succeed(text((1 shl 20) + 1))).result() shouldBe Result.DEAD_LETTERED
            shouldRefuse(ErrorCode.CONTEXT_TOO_LARGE) {
                ledger.client.workflows.enqueue(
                    WorkflowRequest.builder("flow").context(mapOf("a" to "x".repeat(1 shl 20)))
                        .also { it.gate("gate") }.build(),
                )
            }
        }

        test("a checkpoint that is too large is refused, and the one before stays") {
            val ledger = ledger()
            val client = ledger.small { maxCheckpointBytes(10) }
            val id = ledger.enqueue().id()
            val job = ledger.claim().single()
            client.leases.report(ProgressReport(job.lease(), Progress.NONE, null, text(10)))
            shouldRefuse(ErrorCode.CHECKPOINT_TOO_LARGE) {
                client.leases.report(ProgressReport(job.lease(), Progress.NONE, null, text(11)))
            }
            ledger.value("SELECT length(checkpoint::text) FROM runledger.job_queue") shouldBe "10"

            val onwards = Verdict.Continue(null, text(11), Duration.ZERO)
            client.leases.settle(mapOf(job.lease() to onwards)).single().result() shouldBe Result.DEAD_LETTERED
            ledger.letter(id).errorCode() shouldBe "job.checkpoint_too_large"
        }

        test("the completion of a gate with an output that is too large is refused, and the gate stays open") {
            val ledger = ledger()
            val client = ledger.small { maxOutputBytes(10) }
            val flow = WorkflowRequest.builder("flow").also { it.gate("gate") }.build()
            val run = client.workflows.enqueue(flow).runId()

            shouldRefuse(ErrorCode.OUTPUT_TOO_LARGE) {
                client.workflows.completeGate(everything, GateCompletion.succeeded(run, "gate", text(11).value()))
            }
            client.workflows.openGates(everything, 10).items().size shouldBe 1
            client.workflows.completeGate(everything, GateCompletion.succeeded(run, "gate", text(10).value()))
        }

        test("metadata and runtime configs are as large as payloads") {
            val ledger = ledger()
            val client = ledger.small { maxPayloadBytes(20) }
            shouldRefuse(ErrorCode.PAYLOAD_TOO_LARGE) {
                val flow = WorkflowRequest.builder("flow").metadata(mapOf("a" to "x".repeat(20)))
                client.workflows.enqueue(flow.also { it.gate("gate") }.build())
            }.message shouldContain "The metadata of workflow 'flow'"
            shouldRefuse(ErrorCode.PAYLOAD_TOO_LARGE) {
                client.configs.putIfMissing(RuntimeConfigRequest.of("mail", mapOf("a" to "x".repeat(20))))
            }
            client.configs.find("mail").shouldBeNull()
        }

        test("facts beside a log line are refused when they are too large, and a failure keeps their size") {
            val ledger = ledger()
            val client = ledger.small { maxFactsBytes(20) }
            val id = ledger.enqueue().id()
            fun facts(bytes: Int) = Json("\"${"x".repeat(bytes - 2)}\"")

            client.logs.append(LogRequest.of(id, LogLevel.INFO, "fits").with(facts(20))) shouldBe true
            shouldRefuse(ErrorCode.FACTS_TOO_LARGE) {
                client.logs.appendAll(
                    listOf(
                        LogRequest.of(id, LogLevel.INFO, "before"),
                        LogRequest.of(id, LogLevel.INFO, "large").with(facts(21)),
                    ),
                )
            }
            client.logs.list(everything, id).items().map { it.message() } shouldContainExactly listOf("fits")

            val failure = JobFailure.terminal("test.broken", "It broke.").withDetails(facts(21))
            val verdict = Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
            client.leases.settle(mapOf(ledger.claim().single().lease() to verdict)).single().refusal().shouldBeNull()
            ledger.letter(id).errorCode() shouldBe "test.broken"
            ledger.value("SELECT error_details::text FROM runledger.job_attempts") shouldBe """{"omitted_bytes": 21}"""
        }

        test("the log of a run has a bounded number of lines, the last of which says so, and the next run has its own") {
            val ledger = ledger()
            val client = ledger.small { maxLogLines(5) }
            val (id, other) = List(2) { ledger.enqueue().id() }
            fun line(job: UUID, text: String, run: Int? = null) =
                LogRequest(job, run, null, LogLevel.INFO, text, Json.EMPTY_OBJECT)
            fun messages(job: UUID) = client.logs.list(everything, job).items().map { it.message() }
            val notice = "Further lines of this run are dropped: the limit is 5 lines."

            client.logs.appendAll(List(3) { line(id, "a$it") } + line(other, "o")) shouldBe 4
            client.logs.appendAll(List(9) { line(id, "b$it") }) shouldBe 2
            client.logs.append(line(id, "c")) shouldBe false
            messages(id) shouldContainExactly listOf("a0", "a1", "a2", "b0", notice)
            messages(other) shouldContainExactly listOf("o")

            client.logs.appendAll(List(6) { line(id, "d$it", 2) }) shouldBe 5
            messages(id).drop(5) shouldContainExactly listOf("d0", "d1", "d2", "d3", notice)
        }

        test("writers of the same moment bound a log too") {
            val ledger = ledger()
            val client = ledger.small { maxLogLines(50) }
            val id = ledger.enqueue().id()
            racing(4) { repeat(40) { client.logs.append(LogRequest.of(id, LogLevel.INFO, "line")) } }
            val lines = ledger.value("SELECT count(*) FROM runledger.job_logs").toInt()
            (lines in 50..100) shouldBe true
            client.logs.append(LogRequest.of(id, LogLevel.INFO, "late")) shouldBe false
        }

        test("a limit is at least one") {
            val builder = RunledgerClient.builder(ledger().dataSource)
            listOf(
                builder::maxPayloadBytes,
                builder::maxOutputBytes,
                builder::maxCheckpointBytes,
                builder::maxContextBytes,
                builder::maxFactsBytes,
                builder::maxLogLines,
            ).forEach { limit -> shouldThrow<IllegalArgumentException> { limit(0) }.message shouldContain limit.name }
        }
    })
