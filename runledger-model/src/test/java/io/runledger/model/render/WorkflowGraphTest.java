package io.runledger.model.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.json.Json;
import io.runledger.model.run.StepDependency;
import io.runledger.model.workflow.ContextMerge;
import io.runledger.model.workflow.ReleaseMode;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.model.workflow.WorkflowRun;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WorkflowGraphTest {
    @Test
    void aDefinitionIsDrawnInThreeLanguages() {
        var report = WorkflowRequest.builder("reports.daily");
        var crawl = report.job("crawl");
        report.job("publish", job -> job.after(crawl));

        var graph = WorkflowGraph.of(report.build());

        assertEquals("""
                reports.daily
                └─ crawl
                   └─ publish
                """, graph.tree());
        assertTrue(graph.mermaid().contains("s0 --> s1"));
        assertTrue(graph.dot().contains("s0 -> s1;"));
        assertTrue(graph.asciiTree().contains("`- publish"));
    }

    @Test
    void aDependencyOnAStepThatWasNotPassedIsNamed() {
        var at = Instant.EPOCH;
        var run = new WorkflowRun(
                new UUID(1, 1),
                "reports.daily",
                null,
                WorkflowRunStatus.RUNNING,
                null,
                null,
                null,
                0,
                0,
                0,
                0,
                null,
                Json.EMPTY_OBJECT,
                Map.of(),
                Json.EMPTY_OBJECT,
                ContextMerge.REPLACE,
                null,
                null,
                null,
                at,
                null,
                at,
                at);
        var missing = new UUID(2, 2);
        var edges = List.of(new StepDependency(run.id(), missing, new UUID(2, 3), ReleaseMode.ON_SUCCESS, null, at));

        var refused = assertThrows(IllegalArgumentException.class, () -> WorkflowGraph.of(run, List.of(), edges));

        assertTrue(refused.getMessage().contains(missing.toString()));
    }
}
