package io.runledger.model.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.workflow.JobStep;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits, order, shares and queues read in Java as they do in Kotlin. */
class FlowTest {
    record CrmPush(String customer, String text) {}

    private static final JobType<CrmPush> PUSH = JobType.builder("crm.push", CrmPush.class)
            .limit("crm-api", limit -> limit.permits(8).rate(100, Duration.ofSeconds(1)))
            .limit("crm-customer", limit -> limit.by(CrmPush::customer).permits(1))
            .limit(
                    "per-tenant",
                    limit -> limit.byOrganization()
                            .rate(Rate.of(5, Duration.ofMinutes(1)).withBurst(0)))
            .limit("shared")
            .orderedBy(CrmPush::customer, order -> order.named("customer").afterDeadLetter(AfterDeadLetter.GO_ON))
            .fairByOrganization()
            .queue("crm")
            .build();

    @Test
    void aTypeDeclaresItsFlow() {
        TypeFlow<CrmPush> flow = PUSH.flow();
        assertEquals("crm", flow.queue());
        assertEquals(
                List.of("crm-api", "crm-customer", "per-tenant", "shared"),
                flow.limits().stream().map(Limit::name).toList());
        assertEquals(
                LimitValues.rate(100, Duration.ofSeconds(1)).withPermits(8),
                flow.limits().get(0).values());
        assertEquals(KeyedBy.KEY, flow.limits().get(1).key().by());
        assertTrue(flow.limits().get(3).values().isEmpty());
        assertEquals("customer", flow.order().name());
        assertEquals(FlowKey.organization(), flow.share());
        assertEquals(
                FlowKey.of((CrmPush push) -> push.text()),
                JobType.builder("a", CrmPush.class)
                        .orderedBy(CrmPush::customer)
                        .fairBy(CrmPush::customer)
                        .build()
                        .flow()
                        .share());
    }

    @Test
    void aRequestAndAStepSayTheirFlow() {
        JobRequest request = JobRequest.builder(PUSH, new CrmPush("42", "hello"))
                .limit("extra")
                .limit("crm-customer", "43")
                .orderKey("44")
                .shareKey("eu")
                .queue("urgent")
                .build();
        Map<String, String> limits = new HashMap<>();
        limits.put("extra", null);
        limits.put("crm-customer", "43");
        assertEquals(
                new JobFlow("urgent", limits, "44", false, "eu"),
                request.settings().flow());
        assertEquals(
                new JobFlow(null, Map.of("crm-customer", "42"), null, true, null),
                JobStep.builder("push")
                        .runs(PUSH, new CrmPush("42", "hello"))
                        .unordered()
                        .build()
                        .settings()
                        .flow());
    }
}
