package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.spec.JobType;
import io.runledger.model.spec.ScheduleRequest;
import io.runledger.model.spec.WorkflowParameter;
import io.runledger.model.spec.WorkflowParameters;
import io.runledger.model.spec.WorkflowRequest;
import io.runledger.model.spec.WorkflowType;
import io.runledger.model.state.Scope;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A workflow that is started with named values; {@code RegionalReport.kt} said in Java. */
public final class RegionalReportInJava {
    public record Sales(String region, int days) {}

    public static final JobType<Sales> COLLECT = JobType.of("regional.collect", Sales.class);

    public static final WorkflowParameter<String> REGION = WorkflowParameter.required("region", String.class);
    public static final WorkflowParameter<Integer> DAYS =
            WorkflowParameter.optional("days", Integer.class, 7).mustBe("1 to 90", days -> days >= 1 && days <= 90);

    public static final WorkflowType REPORT =
            WorkflowType.of("regional.report", List.of(REGION, DAYS), RegionalReportInJava::steps);

    private final RunledgerClient client;

    public RegionalReportInJava(RunledgerClient client) {
        this.client = client;
    }

    private static void steps(WorkflowParameters values, WorkflowRequest.Builder workflow) {
        var sales = new Sales(values.get(REGION), values.get(DAYS));
        workflow.metadata(Map.of("team", "sales"));
        workflow.job("collect", job -> job.runs(COLLECT, sales));
    }

    public UUID start(String region, int days) {
        return client.workflows()
                .enqueue(REPORT.request(REGION.of(region), DAYS.of(days)))
                .runId();
    }

    public UUID fromForm(Map<String, String> fields) {
        return client.workflows().enqueue(REPORT.request(fields)).runId();
    }

    /** What a run was started with, for people who look at it later. */
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
