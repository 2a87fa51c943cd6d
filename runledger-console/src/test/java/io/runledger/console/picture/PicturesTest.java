package io.runledger.console.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.job.JobStatus;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PicturesTest {
    private static final Instant NOW = Instant.parse("2026-11-19T14:06:00Z");

    @Test
    void aRunIsDrawnAsAGraphAndOverTime() {
        var story = StoriesForJava.run("charge", WorkflowStepStatus.RUNNING);
        var options = PictureOptions.builder()
                .standalone(PictureTheme.LIGHT)
                .zone(ZoneId.of("Europe/Berlin"))
                .stepHref(key -> "/steps/" + key)
                .groupHref(id -> null)
                .expanded(Set.of("pick-1"))
                .rows(0, 50)
                .build();

        var graph = RunGraph.of(story, NOW, Map.of("charge", new StepWork(2, 8)), new GraphLayouts());
        var timeline = RunTimeline.of(story, NOW);

        assertTrue(graph.svg(options).contains("href=\"/steps/charge\""));
        assertTrue(RunGraph.of(story).svg().startsWith("<svg"));
        assertTrue(graph.groups().isEmpty());
        assertEquals(1, timeline.rows());
        assertTrue(timeline.svg().contains("charge"));
        assertTrue(options.standalone());
        assertEquals(Set.of("pick-1"), options.expanded());
    }

    @Test
    void aJobIsDrawnOverTime() {
        var timeline = JobTimeline.of(StoriesForJava.job(JobStatus.PENDING), NOW);

        assertEquals(1, timeline.rows());
        assertTrue(timeline.svg().contains("waiting for a worker"));
    }

    @Test
    void countsAreDrawnAsCharts() {
        var bars = new Bars(
                NOW, Duration.ofMinutes(5), List.of(new BarSeries("succeeded", Tone.SUCCEEDED, List.of(1L, 2L))));
        var busy = new Gauge("slots", List.of(new Gauge.Part("busy", Tone.RUNNING, 3)), 8);

        assertEquals(2, bars.size());
        assertTrue(new ThroughputChart(bars).svg().contains("succeeded"));
        assertTrue(new Histogram(DurationCounts.of(List.of(Duration.ofSeconds(1))))
                .svg()
                .contains("p95"));
        assertTrue(new Sparkline("jobs", List.of(1L, 2L), Tone.PLAIN).svg().contains("2 now"));
        assertTrue(busy.svg().contains("3 busy"));
        assertTrue(PictureStyles.css().contains(".rl-picture"));
    }
}
