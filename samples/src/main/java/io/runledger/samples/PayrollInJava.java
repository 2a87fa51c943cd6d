package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.json.Payload;
import io.runledger.model.spec.WorkflowQuery;
import io.runledger.model.state.RunEvent;
import io.runledger.model.state.Scope;
import io.runledger.model.state.WorkflowSummary;
import java.util.List;
import java.util.UUID;

/** The desk of {@code Payroll.kt} in Java: a run is held back, corrected and let go. */
public final class PayrollInJava {
    private final RunledgerClient client;

    public PayrollInJava(RunledgerClient client) {
        this.client = client;
    }

    public String hold(UUID run, String why) {
        var paused = client.workflows().pause(Scope.global(), run, why);
        return switch (paused.result()) {
            case PAUSED -> "No more salaries are paid.";
            case ALREADY_PAUSED -> "It was held back before: " + paused.run().pauseReason();
            case ALREADY_ENDED -> "Too late, it ended as " + paused.run().status() + ".";
        };
    }

    public void correct(UUID run, Salary salary, String why) {
        client.workflows().editPayload(Scope.global(), run, "pay " + salary.getEmployee(), Payload.of(salary), why);
    }

    public void goOn(UUID run, String why) {
        client.workflows().resume(Scope.global(), run, why);
    }

    public List<UUID> onHold() {
        var held = WorkflowQuery.builder().workflowTypes("payroll").paused(true).build();
        return client.workflows().list(Scope.global(), held).items().stream()
                .map(WorkflowSummary::id)
                .toList();
    }

    public List<RunEvent> audit(UUID run) {
        return client.workflows().runEvents(Scope.global(), run);
    }
}
