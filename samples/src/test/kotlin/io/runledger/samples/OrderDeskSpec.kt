package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.test.freshLedger
import java.time.Duration

class OrderDeskSpec :
    FunSpec({
        val types = listOf(OrderJobs.charge, OrderJobs.pick, OrderJobs.ship, OrderJobs.refund)

        fun RunledgerClient.work(verdict: (String) -> Verdict = { Verdict.Succeed(null) }): List<String> {
            val leases = WorkerLedger.of(this).leases
            val claimed = leases.claim(ClaimRequest.of(types.map { it.name() }, "desk", Duration.ofMinutes(1), 100))
            leases.settle(claimed.associate { it.lease() to verdict(it.step()!!.stepKey()) })
            return claimed.map { it.step()!!.stepKey() }
        }

        test("an order is approved, grows by a gift and ships") {
            val client = freshLedger().client
            types.forEach { client.definitions.declare(it) }
            val desk = OrderDesk(client)
            val run = desk.start("A-1001", 4_900, listOf("book", "lamp"))
            desk.start("A-1001", 4_900, listOf("book", "lamp")) shouldBe run
            client.work().shouldContainExactly("charge")

            desk.inbox().shouldContainExactly(run)
            desk.addGift(run, "A-1001", "card")
            desk.approve(run, "Ada")
            client.work().sorted().shouldContainExactly("pick-book", "pick-card", "pick-lamp")
            client.work().shouldContainExactly("ship")

            desk.picture(run) shouldContain "pick-card"
            client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.SUCCEEDED
        }

        test("an order that is refused is refunded, and what failed is tried again when the outage is over") {
            val client = freshLedger().client
            types.forEach { client.definitions.declare(it) }
            val desk = OrderDeskInJava(client)
            val run = desk.start("A-1002", 100, listOf("book"))
            client.work()
            desk.refuse(run, "No stock.")
            val broken = JobFailure.terminal("bank.down", "The bank does not answer.")
            client.work { Verdict.DeadLetter(broken, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE) }.shouldContainExactly("refund")
            client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS

            desk.retryAfterOutage(run).shouldContainExactly("approval", "pick-book", "ship", "refund")
            desk.cancel(run)
            desk.end(run).join().status() shouldBe WorkflowRunStatus.CANCELED
        }
    })
