package io.runledger.model.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.SourceLine;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.job.JobType;
import io.runledger.model.json.Payload;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Problems point at the line of Java that declared the step. */
class DeclaredAtTest {
    private final Map<String, Integer> lines = new HashMap<>();

    /** Records the line of the call, which is the line that declares the step. */
    private String at(String key) {
        lines.put(key, new Throwable().getStackTrace()[1].getLineNumber());
        return key;
    }

    private String line(String key) {
        return "DeclaredAtTest.java:" + lines.get(key);
    }

    private static List<WorkflowProblem> problems(StepsBuilder steps) {
        return assertThrows(InvalidWorkflowException.class, () -> {
                    if (steps instanceof WorkflowRequest.Builder workflow) {
                        workflow.build();
                    } else if (steps instanceof AppendRequest.Builder append) {
                        append.build();
                    }
                })
                .problems();
    }

    @Test
    void everyFormOfAStepHasItsLine() {
        var type = JobType.of("crawl", String.class);
        var report = WorkflowRequest.builder("report");
        report.job(at("plain"));
        report.job(at("typed"), type, "example.org");
        report.job(at("said"), job -> job.priority(1));
        report.externalGate(at("gate"));
        report.externalGate(at("slow"), gate -> gate.expiresAfter(Duration.ofDays(1)));
        report.add(
                JobStep.builder(at("added")).build(), GateStep.builder("also").build());
        Stream.of("a", "b").forEach(item -> report.job(at("pick-" + item)));

        for (StepRequest step : report.build().steps()) {
            if (lines.containsKey(step.key())) {
                assertEquals(line(step.key()), step.declaredAt().toString());
            }
        }
        assertEquals(8, lines.size());
    }

    @Test
    void problemsNameTheStepAndItsLine() {
        var report = WorkflowRequest.builder("report");
        report.job(at("crawl"), job -> job.maxAttempts(0));
        report.job(at("publish"), job -> job.after(Upstream.named("crwl")));
        report.externalGate(at("approval"), gate -> gate.expiresAfter(Duration.ZERO));

        var message =
                assertThrows(InvalidWorkflowException.class, report::build).getMessage();

        assertTrue(message.contains("steps[0] 'crawl' (" + line("crawl") + "): maxAttempts is 0"), message);
        assertTrue(
                message.contains("steps[1] 'publish' (" + line("publish") + "): The step waits for 'crwl'"), message);
        assertTrue(message.contains("steps[2] 'approval' (" + line("approval") + "): expiresAfter"), message);
    }

    @Test
    void aRepeatedKeyNamesBothLines() {
        var report = WorkflowRequest.builder("report");
        report.job(at("crawl"));
        String first = line("crawl");
        report.job(at("crawl"));

        var problem = problems(report).get(0);

        assertEquals(line("crawl"), problem.declaredAt().toString());
        assertEquals("The key is already used by steps[0] (" + first + "): use another key.", problem.message());
    }

    @Test
    void aCircleAndAnAppendHaveLinesToo() {
        var report = WorkflowRequest.builder("report");
        report.job(at("a"), job -> job.after(Upstream.named("b")));
        report.job("b", job -> job.after(Upstream.named("a")));
        assertEquals(line("a"), problems(report).get(0).declaredAt().toString());

        var append = AppendRequest.builder(UUID.randomUUID(), "more", "window");
        append.job(at("late"), job -> job.after(Upstream.named("strt")));
        var refused = assertThrows(
                InvalidWorkflowException.class, () -> append.build().requireFits(Set.of("start", "window")));
        assertEquals(line("late"), refused.problems().get(0).declaredAt().toString());
    }

    @Test
    void whereAStepWasDeclaredIsNoPartOfWhatItIs() {
        var gate = new GateStep("approval", Payload.empty(), null, null, GateExpiry.FAILED, List.of());

        assertEquals(gate, GateStep.builder("approval").build());
        assertEquals(gate.hashCode(), GateStep.builder("approval").build().hashCode());
        assertFalse(gate.declaredAt().isKnown());
        assertEquals("", SourceLine.UNKNOWN.inBrackets());
        assertEquals(" (a\\u000ab.kt:7)", new SourceLine("a\nb.kt", 7).inBrackets());
    }

    @Test
    void whatIsNoStepHasNoLine() {
        var report = WorkflowRequest.builder(" ");
        report.job("crawl");

        assertEquals("type", problems(report).get(0).where());
        assertFalse(problems(report).get(0).declaredAt().isKnown());
    }
}
