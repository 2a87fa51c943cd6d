package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class EditStepSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun edit(run: UUID, key: String, payload: String = """{"n": 2}""", reason: String = "typo", scope: Scope = everything) =
            flow.client.workflows.editPayload(scope, run, key, Payload.of(Json.of(payload)), reason)

        fun edits(run: UUID) = flow.ledger.rows(
            "SELECT step_key, payload FROM runledger.workflow_step_events " +
                "WHERE workflow_run_id = '$run' AND event_type = 'EDITED' ORDER BY id",
        )

        test("a blocked step, an open gate and a queued step with its job get the new payload, and the old one is kept") {
            val run = flow.start {
                val queued = work("queued") { payload(mapOf("n" to 1)) }
                work("blocked", queued)
                gate("open")
            }

            listOf("queued", "blocked", "open").forEach { edit(run, it).payload().text() shouldBe """{"n": 2}""" }

            edits(run).shouldContainExactly(
                """queued|{"reason": "typo", "previous_payload": {"n": 1}}""",
                """blocked|{"reason": "typo", "previous_payload": {}}""",
                """open|{"reason": "typo", "previous_payload": {}}""",
            )
            val claimed = flow.claim().getValue("queued")
            claimed.payload().text() shouldBe """{"n": 2}"""
            flow.ledger.rows(
                "SELECT payload->'previous_payload' FROM runledger.job_events " +
                    "WHERE job_id = '${claimed.lease().jobId()}' AND event_type = 'EDITED'",
            ).shouldContainExactly("""{"n": 1}""")
            flow.succeed(claimed)
            flow.claim().getValue("blocked").payload().text() shouldBe """{"n": 2}"""
        }

        test("an equal payload changes nothing and is no event") {
            val run = flow.start { work("a") { payload(mapOf("n" to 1)) } }

            edit(run, "a", """{"n": 1.0}""").payload().text() shouldBe """{"n": 1}"""

            edits(run).shouldBeEmpty()
        }

        test("a step that has begun or ended is left alone; one that waits for its next attempt can be edited") {
            val run = flow.start {
                work("a") { maxAttempts(2) }
                gate("g")
            }
            val claimed = flow.claim().getValue("a")

            shouldRefuse(ErrorCode.STEP_STATE) { edit(run, "a") }
            flow.settle(claimed, again)
            edit(run, "a")
            val second = flow.claim().getValue("a")
            second.payload().text() shouldBe """{"n": 2}"""
            flow.succeed(second)
            shouldRefuse(ErrorCode.STEP_STATE) { edit(run, "a") }
            flow.complete(run, "g")
            shouldRefuse(ErrorCode.STEP_STATE) { edit(run, "g") }
        }

        test("of a step whose handler continued, what counts and is kept is the payload that it continued with") {
            val run = flow.start {
                work("a") {
                    mayContinue()
                    payload(mapOf("n" to 1))
                }
            }
            flow.settle(flow.claim().getValue("a"), Verdict.Continue(Payload.json("""{"n": 2}"""), null, Duration.ZERO))

            edit(run, "a", """{"n": 2}""")
            edits(run).shouldBeEmpty()
            edit(run, "a", """{"n": 1}""").payload().text() shouldBe """{"n": 1}"""

            edits(run).shouldContainExactly("""a|{"reason": "typo", "previous_payload": {"n": 2}}""")
            val claimed = flow.claim().getValue("a")
            claimed.payload().text() shouldBe """{"n": 1}"""
            flow.ledger.rows(
                "SELECT run_number, payload->'previous_payload' FROM runledger.job_events " +
                    "WHERE job_id = '${claimed.lease().jobId()}' AND event_type = 'EDITED'",
            ).shouldContainExactly("""2|{"n": 2}""")
        }

        test("an unknown step, an unknown run, somebody else's run and a missing reason are refused") {
            val run = flow.start {
                organization(UUID.randomUUID())
                gate("g")
            }

            shouldRefuse(ErrorCode.STEP_NOT_FOUND) { edit(run, "nobody") }
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { edit(UUID.randomUUID(), "g") }
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { edit(run, "g", scope = Scope.global()) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { edit(run, "g", reason = " ") }
            shouldRefuse(ErrorCode.PAYLOAD_TOO_LARGE) { edit(run, "g", "\"${"x".repeat(1 shl 20)}\"") }
            edits(run).shouldBeEmpty()
        }

        test("what the run was asked for stays: repeating the request still finds it") {
            val request = workflow {
                idempotencyKey("once")
                work("a") { payload(mapOf("n" to 1)) }
            }
            val run = flow.start(request)

            edit(run, "a")

            val repeated = flow.client.workflows.enqueue(request)
            repeated.runId() shouldBe run
            repeated.disposition() shouldBe Disposition.EXISTING
        }

        test("of an edit and a claim at the same moment one comes first, and the handler sees what the step says") {
            repeat(50) {
                val run = flow.start { work("a") { payload(mapOf("n" to 1)) } }

                val (payload, _) = racing(2) { party ->
                    if (party == 0) {
                        flow.claim().values.singleOrNull()?.payload()?.text()
                    } else {
                        try {
                            edit(run, "a").let { null }
                        } catch (refused: RunledgerException) {
                            refused.code() shouldBe ErrorCode.STEP_STATE
                            null
                        }
                    }
                }

                // A claim that came while the edit held the job passed it by, and takes it now.
                val seen = payload ?: flow.claim().getValue("a").payload().text()
                flow.step(run, "a", "payload") shouldBe seen
                flow.cancelEverything()
            }
        }
    })
