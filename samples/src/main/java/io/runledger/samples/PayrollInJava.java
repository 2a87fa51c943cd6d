package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.workflow.WorkflowRequest;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A payroll that is paused, corrected and resumed; {@code Payroll.kt} in Java. */
public final class PayrollInJava {
    public record Pay(String employee, long cents) {}

    public static final JobType<Pay> PAY = JobType.of("payroll.pay", Pay.class);
    public static final JobType<String> CLOSE = JobType.of("payroll.close", String.class);

    private final RunledgerClient client;

    public PayrollInJava(RunledgerClient client) {
        this.client = client;
    }

    /** Pays every salary, and then closes the month. */
    public static WorkflowRequest payroll(String month, List<Pay> salaries) {
        var workflow = WorkflowRequest.builder("payroll");
        var paid = salaries.stream()
                .map(pay -> workflow.job("pay " + pay.employee(), PAY, pay))
                .toList();
        workflow.job("close", job -> job.runs(CLOSE, month).after(paid));
        return workflow.build();
    }

    public static Handlers handlers(Consumer<Pay> bank) {
        return Handlers.builder()
                .blocking(PAY, job -> {
                    bank.accept(job.payload());
                    return JobOutcome.succeeded();
                })
                .blocking(CLOSE, job -> JobOutcome.succeeded())
                .build();
    }

    public String hold(UUID run, String why) {
        var paused = client.workflows().pause(Scope.global(), run, why);
        return switch (paused.result()) {
            case PAUSED -> "No more salaries are paid.";
            case ALREADY_PAUSED -> "It was held back before: " + paused.run().pauseReason();
            case ALREADY_ENDED -> "Too late, it ended as " + paused.run().status() + ".";
        };
    }

    public void correct(UUID run, Pay pay, String why) {
        client.workflows().editPayload(Scope.global(), run, "pay " + pay.employee(), PAY, pay, why);
    }

    public void goOn(UUID run, String why) {
        client.workflows().resume(Scope.global(), run, why);
    }

    public List<UUID> onHold() {
        var held = client.workflows()
                .list(Scope.global(), query -> query.workflowTypes("payroll").paused(true));
        return held.items().stream().map(run -> run.id()).toList();
    }

    public List<String> audit(UUID run) {
        return client.workflows().runEvents(Scope.global(), run).stream()
                .map(event -> event.type() + ": " + event.reason())
                .toList();
    }
}
