package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import java.util.UUID

class EditJobSpec :
    FunSpec({
        val everything = Scope.everything()
        val edited = Payload.of(mapOf("n" to 2))

        test("a waiting job gets another payload, and the one before stays in its story") {
            val bench = bench()
            val id = bench.enqueue()

            bench.client.jobs.editPayload(everything, id, edited, "typo").payload().text() shouldBe """{"n": 2}"""

            bench.journal(id, "event_type, run_number, attempt, payload") shouldContainExactly
                listOf("""EDITED|1||{"reason": "typo", "changed": ["payload"], "previous_payload": {"n": 1}}""")
            bench.claim().single().payload().text() shouldBe """{"n": 2}"""
        }

        test("an equal payload changes nothing") {
            val bench = bench()
            val id = bench.enqueue()

            bench.client.jobs.editPayload(everything, id, Payload.json("""{ "n" : 1.0 }"""), "same")

            bench.journal(id).shouldBeEmpty()
        }

        test("parked jobs can be edited, running and succeeded ones cannot") {
            val bench = bench()
            val dead = bench.dead()
            val canceled = bench.enqueue().also { bench.client.jobs.cancel(everything, it) }
            val done = bench.succeeded()
            val running = bench.leased().jobId()

            listOf(dead, canceled).forEach { bench.client.jobs.editPayload(everything, it, edited, "fix") }
            listOf(done, running).forEach { id ->
                shouldRefuse(ErrorCode.JOB_STATE) { bench.client.jobs.editPayload(everything, id, edited, "fix") }
                bench.row(id, "payload") shouldBe """{"n": 1}"""
            }
            bench.journal(dead) shouldContainExactly listOf("EDITED|1|1")
            bench.client.jobs.deadLetters(everything, dead).items().single().payload().text() shouldBe """{"n": 1}"""
        }

        test("a keyed job keeps what it was asked with, so the request that made it still finds it") {
            val bench = bench()
            val request = JobRequest.builder(Bench.TYPE, mapOf("n" to 1)).idempotencyKey("once").build()
            val id = bench.client.jobs.enqueue(request).id()

            bench.client.jobs.editPayload(everything, id, edited, "fix")

            bench.client.jobs.enqueue(request).id() shouldBe id
            bench.row(id, "payload") shouldBe """{"n": 2}"""
        }

        test("a workflow step's job, a job out of scope, a payload that is too large and a blank reason are refused") {
            val bench = bench()
            val step = bench.enqueue().also(bench::ofWorkflow)
            val id = bench.enqueue()
            val small = RunledgerClient.builder(bench.ledger.dataSource).maxPayloadBytes(10).build()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.editPayload(everything, step, edited, "fix") }
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) {
                bench.client.jobs.editPayload(Scope.organization(UUID.randomUUID()), id, edited, "fix")
            }
            shouldRefuse(ErrorCode.PAYLOAD_TOO_LARGE) { small.jobs.editPayload(everything, id, Payload.of("0123456789"), "fix") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.editPayload(everything, id, edited, "") }
        }
    })
