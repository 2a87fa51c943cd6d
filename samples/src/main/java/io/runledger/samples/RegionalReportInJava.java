package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.ScheduleRequest;
import io.runledger.model.workflow.WorkflowParameter;
import io.runledger.model.workflow.WorkflowType;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A workflow with named parameters; {@code RegionalReport.kt} in Java. */
public final class RegionalReportInJava {
    public record Sales(String region, int days) {}

    public static final JobType<Sales> COLLECT = JobType.of("regional.collect", Sales.class);

    public static final WorkflowParameter<String> REGION = WorkflowParameter.required("region", String.class);
    public static final WorkflowParameter<Integer> DAYS =
            WorkflowParameter.optional("days", Integer.class, 7).mustBe("1 to 90", days -> days >= 1 && days <= 90);

    public static final WorkflowType REPORT =
            WorkflowType.of("regional.report", List.of(REGION, DAYS), (values, workflow) -> {
                var sales = new Sales(values.get(REGION), values.get(DAYS));
                workflow.metadata(Map.of("team", "sales"));
                workflow.job("collect", job -> job.runs(COLLECT, sales));
            });

    private final RunledgerClient client;

    public RegionalReportInJava(RunledgerClient client) {
        this.client = client;
    }

    public UUID start(String region, int days) {
        return client.workflows()
                .enqueue(REPORT.request(REGION.of(region), DAYS.of(days)))
                .runId();
    }

    public UUID fromForm(Map<String, String> fields) {
        return client.workflows().enqueue(REPORT.request(fields)).runId();
    }

    /** The parameters of a run, for later inspection. */
    public int daysOf(UUID run) {
        var kept = client.workflows().get(Scope.global(), run);
        return REPORT.parametersOf(kept, client.codec()).get(DAYS);
    }

    public void weekly(String region) {
        client.schedules()
                .upsert(ScheduleRequest.builder("report-" + region, REPORT.request(REGION.of(region)))
                        .cron("0 6 * * 1")
                        .build());
    }
}
