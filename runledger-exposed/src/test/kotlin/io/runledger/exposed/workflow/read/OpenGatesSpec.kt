package io.runledger.exposed.workflow.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.GateExpiry
import java.time.Duration
import java.util.UUID

class OpenGatesSpec :
    FunSpec({
        val everything = Scope.everything()

        test("an open gate says what waits, for whom, since when and until when") {
            val flow = flow()
            val acme = UUID.randomUUID()
            val run = flow.start {
                organization(acme)
                gate("approval") {
                    payload(Json.of("""{"order": 7}"""))
                    expiresAfter(Duration.ofHours(2), GateExpiry.CANCELED)
                }
                gate("for-ever")
            }

            val (approval, forEver) = flow.client.workflows.openGates(Scope.organization(acme), 10).items()
                .sortedBy { it.stepKey() }

            val step = flow.client.workflows.findStep(everything, run, "approval").shouldNotBeNull()
            listOf(approval.runId(), approval.workflowType(), approval.organizationId(), approval.stepId()) shouldContainExactly
                listOf(run, "test.flow", acme, step.id())
            approval.payload() shouldBe Json.of("""{"order": 7}""")
            approval.openedAt() shouldBe step.releasedAt()
            approval.expiresAt() shouldBe approval.openedAt().plus(Duration.ofHours(2))
            approval.expiry() shouldBe GateExpiry.CANCELED
            forEver.expiresAt().shouldBeNull()
            forEver.expiry().shouldBeNull()
        }

        test("only gates that are open are listed, the longest wait first, page by page") {
            val flow = flow()
            val runs = List(5) { flow.start { gate("g") } }
            flow.start {
                val first = work("first")
                gate("not yet", first)
            }
            val done = flow.start { gate("g") }
            flow.complete(done, "g")
            val canceled = flow.start { gate("g") }
            flow.client.workflows.cancel(everything, canceled)
            // The order is that of opening, not that of starting.
            flow.ledger.run(
                "UPDATE runledger.workflow_step_rows SET released_at = released_at - interval '1 day' WHERE workflow_run_id = '${runs[4]}'",
            )

            val pages = generateSequence(flow.client.workflows.openGates(everything, 2)) { page ->
                page.next()?.let { flow.client.workflows.openGates(everything, 2, it) }
            }.toList()

            pages.map { page -> page.items().map { it.runId() } } shouldContainExactly
                listOf(runs[4], runs[0], runs[1], runs[2], runs[3]).chunked(2)
        }

        test("gates that opened at the same moment are neither repeated nor hidden, and a cursor outlives its gate") {
            val flow = flow()
            flow.start { repeat(4) { gate("g$it") } }
            flow.ledger.run("UPDATE runledger.workflow_step_rows SET released_at = '2026-01-01Z' WHERE is_open_gate")
            val first = flow.client.workflows.openGates(everything, 2)
            flow.complete(first.items()[1].runId(), first.items()[1].stepKey())

            val second = flow.client.workflows.openGates(everything, 2, first.next())

            (first.items() + second.items()).map { it.stepKey() }.sorted() shouldContainExactly listOf("g0", "g1", "g2", "g3")
            second.next().shouldBeNull()
        }
    })
