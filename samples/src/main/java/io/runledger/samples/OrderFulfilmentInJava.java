package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.workflow.Input;
import io.runledger.model.workflow.JobRef;
import io.runledger.model.workflow.StepsBuilder;
import io.runledger.model.workflow.Upstream;
import io.runledger.model.workflow.WorkflowRequest;
import java.time.Duration;
import java.util.List;

/** The order fulfilment of {@code OrderFulfilment.kt} in Java. */
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

    public static final Input<Receipt> RECEIPT = Input.of("receipt", Receipt.class);
    public static final Input<Parcel> PARCEL = Input.of("parcel", Parcel.class);

    private OrderFulfilmentInJava() {}

    public static WorkflowRequest orderFulfilment(String order, long cents, List<String> items) {
        var workflow = WorkflowRequest.builder("orders.fulfil").idempotencyKey("fulfil/" + order);
        var charged = workflow.job("charge", CHARGE, new Charge(order, cents));
        var approved =
                workflow.externalGate("approval", gate -> gate.after(charged).expiresAfter(Duration.ofDays(3)));
        List<JobRef> picked = items.stream()
                .map(item -> pick(workflow, order, item, approved))
                .toList();
        var shipped = workflow.job(
                "ship",
                job -> job.runs(SHIP, new OrderRef(order))
                        .uses(charged, RECEIPT)
                        .uses(picked, PARCEL));
        workflow.job(
                "refund",
                job -> job.runs(REFUND, new OrderRef(order))
                        .uses(charged, RECEIPT)
                        .after(approved.onFailure()));
        return workflow.result(shipped).build();
    }

    /** A fragment for a new workflow and for appending to a live run. */
    public static JobRef pick(StepsBuilder steps, String order, String item, Upstream start) {
        return steps.job(
                "pick-" + item, job -> job.runs(PICK, new Pick(order, item)).after(start));
    }

    /** Later steps use the return values of handlers. No handler refers to a step by name. */
    public static Handlers handlers() {
        return Handlers.builder()
                .blocking(
                        CHARGE,
                        job -> JobOutcome.succeeded(new Receipt(
                                job.payload().getOrder(), job.payload().getCents())))
                .blocking(
                        PICK,
                        job -> JobOutcome.succeeded(new Parcel(job.payload().getItem())))
                .blocking(SHIP, job -> {
                    var paid = job.input(RECEIPT);
                    return JobOutcome.succeeded(new Shipment(paid.getOrder(), paid.getCents(), job.inputs(PARCEL)));
                })
                .blocking(
                        REFUND,
                        job -> JobOutcome.succeeded(
                                "refunded " + job.input(RECEIPT).getCents()))
                .build();
    }
}
