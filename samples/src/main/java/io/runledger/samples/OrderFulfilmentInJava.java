package io.runledger.samples;

import io.runledger.model.policy.RetryPolicy;
import io.runledger.model.spec.JobRef;
import io.runledger.model.spec.JobType;
import io.runledger.model.spec.WorkflowRequest;
import java.time.Duration;
import java.util.List;

/** The order fulfilment of {@code OrderFulfilment.kt}, said in Java. */
public final class OrderFulfilmentInJava {
    public static final JobType<Charge> CHARGE = JobType.builder("orders.charge", Charge.class)
            .maxAttempts(5)
            .timeout(Duration.ofMinutes(1))
            .retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(2), 2.0))
            .build();
    public static final JobType<Pick> PICK = JobType.builder("orders.pick", Pick.class)
            .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(500)))
            .build();
    public static final JobType<OrderRef> SHIP = JobType.of("orders.ship", OrderRef.class);
    public static final JobType<OrderRef> REFUND = JobType.of("orders.refund", OrderRef.class);

    private OrderFulfilmentInJava() {}

    public static WorkflowRequest orderFulfilment(String order, long cents, List<String> items) {
        var workflow = WorkflowRequest.builder("orders.fulfil").idempotencyKey("fulfil/" + order);
        var charged = workflow.job("charge", CHARGE, new Charge(order, cents));
        var approved =
                workflow.externalGate("approval", gate -> gate.after(charged).expiresAfter(Duration.ofDays(3)));
        List<JobRef> picked = items.stream()
                .map(item -> workflow.job(
                        "pick-" + item,
                        job -> job.runs(PICK, new Pick(order, item)).after(approved)))
                .toList();
        var shipped =
                workflow.job("ship", job -> job.runs(SHIP, new OrderRef(order)).after(picked));
        workflow.job("refund", job -> job.runs(REFUND, new OrderRef(order)).after(charged, approved.onFailure()));
        return workflow.result(shipped).build();
    }
}
