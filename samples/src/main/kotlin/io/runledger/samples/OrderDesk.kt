package io.runledger.samples

import io.runledger.dsl.append
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.workflow.Upstream
import java.util.UUID

data class Approval(val by: String)

/** Operations on running orders. */
class OrderDesk(private val client: RunledgerClient) {
    /** May be repeated: the idempotency key of the workflow returns the same run. */
    fun start(order: String, cents: Long, items: List<String>): UUID =
        client.workflows.enqueue(orderFulfilment(order, cents, items)).runId()

    /** The orders that wait for a person, longest waiting first. */
    fun inbox(): List<UUID> = client.workflows.openGates(Scope.global(), limit = 50).items().map { it.runId() }

    fun approve(run: UUID, by: String) {
        client.workflows.completeGate(Scope.global(), run, "approval", Approval(by))
    }

    fun refuse(run: UUID, why: String) {
        client.workflows.failGate(Scope.global(), run, "approval", "orders.refused", why)
    }

    /** While the approval is open, items can be added to the order. */
    fun addGift(run: UUID, order: String, gift: String) {
        client.workflows.append(
            Scope.global(),
            append(run, mutationKey = "gift/$gift", window = "approval") {
                pick(order, gift, Upstream.named("approval"))
            },
        )
    }

    fun cancel(run: UUID) {
        client.workflows.cancel(Scope.global(), run, "The customer changed their mind.")
    }

    /** Runs the failed steps again, in the same run. Succeeded steps are not repeated. */
    fun retryAfterOutage(run: UUID): List<String> =
        client.workflows.retryFailed(Scope.global(), run, "carrier-outage", "The carrier is back.").stepKeys()

    /** The run as a tree for the terminal; `mermaid()` and `dot()` draw it for pages and slides. */
    fun picture(run: UUID): String = WorkflowGraph.of(client.workflows.story(Scope.global(), run)).tree()
}
