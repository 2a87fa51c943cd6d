package io.runledger.model.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Usage of requests from Java. */
class WorkflowCallSiteTest {
    record CrawlRequest(String site) {}

    static final JobType<CrawlRequest> CRAWL = JobType.builder("crawl", CrawlRequest.class)
            .maxAttempts(5)
            .timeout(Duration.ofMinutes(10))
            .build();

    @Test
    void aJobReadsAsOneSentence() {
        var request = JobRequest.builder(CRAWL, new CrawlRequest("example.org"))
                .delay(Duration.ofMinutes(5))
                .idempotencyKey("crawl/example.org/2026-08")
                .build();

        assertEquals("crawl", request.jobType());
        assertEquals(Duration.ofMinutes(5), request.delay());
    }

    @Test
    void aWorkflowReadsTopDown() {
        var report = WorkflowRequest.builder("site-report");
        var crawl = report.job("crawl", CRAWL, new CrawlRequest("example.org"));
        var summarise = report.job("summarise", job -> job.after(crawl));
        var approval = report.externalGate(
                "approval", gate -> gate.after(summarise).expiresAfter(Duration.ofDays(3), GateExpiry.CANCELED));
        report.job("publish", job -> job.after(summarise, approval));
        report.job("tidy-up", job -> job.after(crawl.onTerminal(), approval.onTerminal()));
        WorkflowRequest workflow = report.result(summarise).build();

        assertEquals(
                List.of("crawl", "summarise", "approval", "publish", "tidy-up"),
                workflow.steps().stream().map(StepRequest::key).toList());
        assertEquals(
                List.of(
                        new Dependency("crawl", ReleaseMode.ON_TERMINAL),
                        new Dependency("approval", ReleaseMode.ON_TERMINAL)),
                workflow.steps().get(4).dependencies());
    }

    @Test
    void fanOutIsAStreamAndFanInTakesTheList() {
        var shop = WorkflowRequest.builder("orders.fulfil");
        List<JobRef> picked = Stream.of("a", "b", "c")
                .map(item -> shop.job("pick-" + item, job -> job.runs("pick", item)))
                .toList();
        shop.job("ship", job -> job.after(picked));

        assertEquals(3, shop.build().steps().get(3).dependencies().size());
    }
}
