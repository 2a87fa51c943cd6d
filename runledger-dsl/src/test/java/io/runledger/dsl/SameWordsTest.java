package io.runledger.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.job.JobStage;
import io.runledger.model.job.JobType;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.workflow.AppendRequest;
import io.runledger.model.workflow.GateExpiry;
import io.runledger.model.workflow.Upstream;
import io.runledger.model.workflow.WorkflowRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The builders of the model have the same methods in the same order as the DSL. */
class SameWordsTest {
    static final JobType<String> CRAWL_SITE = JobType.builder("site.crawl", String.class)
            .version(2)
            .maxAttempts(5)
            .timeout(Duration.ofMinutes(10))
            .priority(50)
            .retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(1), 2.0))
            .build();

    @Test
    void aJobType() {
        assertEquals(SiteReport.crawlSite(), CRAWL_SITE);
    }

    @Test
    void aWorkflow() {
        var owner = UUID.randomUUID();

        assertEquals(SiteReport.report("example.org", owner), report("example.org", owner));
    }

    @Test
    void anAppend() {
        var run = UUID.randomUUID();
        var append = AppendRequest.builder(run, "more", "approval").metadata("one more");
        append.job("check-imprint", job -> job.runs("site.check", "imprint").after(Upstream.named("crawl")));

        assertEquals(SiteReport.more(run), append.build());
    }

    static WorkflowRequest report(String site, UUID owner) {
        var workflow = WorkflowRequest.builder("site.report")
                .organization(owner)
                .idempotencyKey("report/" + site)
                .activeKey("report/" + site)
                .metadata(Map.of("site", site));
        var crawled = workflow.job(
                "crawl",
                job -> job.runs(CRAWL_SITE, site)
                        .stage(JobStage.RUNNING)
                        .delay(Duration.ofMinutes(1))
                        .maxAttempts(3)
                        .timeout(Duration.ofMinutes(5))
                        .priority(70));
        var approved = workflow.externalGate(
                "approval", gate -> gate.after(crawled).expiresAfter(Duration.ofDays(3), GateExpiry.CANCELED));
        var beforePublishing = new ArrayList<Upstream>();
        for (var page : List.of("home", "about")) {
            beforePublishing.add(workflow.job(
                    "check-" + page, job -> job.runs("site.check", page).after(crawled)));
        }
        beforePublishing.add(approved);
        var published = workflow.job("publish", job -> job.after(beforePublishing));
        workflow.job("tidy-up", job -> job.after(crawled.onTerminal(), approved.onFailure()));
        return workflow.result(published).build();
    }
}
