package io.runledger.samples;

import static io.runledger.samples.OrderFulfilmentInJava.orderFulfilment;
import static io.runledger.samples.OrderFulfilmentInJava.pick;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.ledger.Scope;
import io.runledger.model.render.WorkflowGraph;
import io.runledger.model.workflow.AppendRequest;
import io.runledger.model.workflow.Upstream;
import io.runledger.model.workflow.WorkflowRun;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Operations on running orders; {@code OrderDesk.kt} in Java. */
public final class OrderDeskInJava {
    private final RunledgerClient client;

    public OrderDeskInJava(RunledgerClient client) {
        this.client = client;
    }

    public UUID start(String order, long cents, List<String> items) {
        return client.workflows().enqueue(orderFulfilment(order, cents, items)).runId();
    }

    public List<UUID> inbox() {
        return client.workflows().openGates(Scope.global(), 50).items().stream()
                .map(gate -> gate.runId())
                .toList();
    }

    public void approve(UUID run, String by) {
        client.workflows().completeGate(Scope.global(), run, "approval", new Approval(by));
    }

    public void refuse(UUID run, String why) {
        client.workflows().failGate(Scope.global(), run, "approval", "orders.refused", why);
    }

    public void addGift(UUID run, String order, String gift) {
        var append = AppendRequest.builder(run, "gift/" + gift, "approval");
        pick(append, order, gift, Upstream.named("approval"));
        client.workflows().append(Scope.global(), append.build());
    }

    public void cancel(UUID run) {
        client.workflows().cancel(Scope.global(), run, "The customer changed their mind.");
    }

    public List<String> retryAfterOutage(UUID run) {
        return client.workflows()
                .retryFailed(Scope.global(), run, "carrier-outage", "The carrier is back.")
                .stepKeys();
    }

    public CompletableFuture<WorkflowRun> end(UUID run) {
        return client.workflows().await(Scope.global(), run);
    }

    public String picture(UUID run) {
        return WorkflowGraph.of(client.workflows().story(Scope.global(), run)).tree();
    }
}
