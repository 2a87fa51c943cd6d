package io.runledger.model.render;

import io.runledger.model.history.WorkflowStory;
import io.runledger.model.run.StepDependency;
import io.runledger.model.run.WorkflowStep;
import io.runledger.model.workflow.JobStep;
import io.runledger.model.workflow.StepRequest;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.model.workflow.WorkflowRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A diagram of a workflow definition, or of a run with the statuses of its steps. The same workflow always has the same
 * text. Gates and jobs have different shapes. Conditions, inputs and release modes other than success are shown as
 * labels. Keys are escaped. Every text ends with a line break.
 */
public final class WorkflowGraph {
    private final String type;
    private final @Nullable String standing;
    private final List<Node> nodes;
    private final List<Edge> edges;

    private WorkflowGraph(String type, @Nullable String standing, List<Node> nodes, List<Edge> edges) {
        this.type = type;
        this.standing = standing;
        this.nodes = nodes;
        this.edges = edges.stream()
                .sorted(Comparator.comparingInt(Edge::from).thenComparingInt(Edge::to))
                .toList();
    }

    /** The diagram of a definition, without statuses. */
    public static WorkflowGraph of(WorkflowRequest workflow) {
        Map<String, Integer> places = new HashMap<>();
        List<Node> nodes = new ArrayList<>();
        for (StepRequest step : workflow.steps()) {
            String jobType = step instanceof JobStep job ? job.jobType() : null;
            places.put(step.key(), nodes.size());
            nodes.add(new Node(
                    step.key(),
                    step.kind(),
                    jobType,
                    null,
                    step.condition(),
                    step.key().equals(workflow.resultStep())));
        }
        List<Edge> edges = new ArrayList<>();
        for (StepRequest step : workflow.steps()) {
            step.dependencies()
                    .forEach(wait -> edges.add(new Edge(
                            place(places, wait.step()), place(places, step.key()), wait.mode(), wait.inputName())));
        }
        return new WorkflowGraph(workflow.type(), null, nodes, edges);
    }

    /** The diagram of a run with the statuses of its steps. */
    public static WorkflowGraph of(WorkflowStory story) {
        return of(story.run(), story.steps(), story.dependencies());
    }

    /**
     * The diagram of a run with the statuses of its steps.
     *
     * @param steps all steps of the run, in any order
     * @throws IllegalArgumentException if a dependency names a step that is not in {@code steps}
     */
    public static WorkflowGraph of(WorkflowRun run, List<WorkflowStep> steps, List<StepDependency> dependencies) {
        List<WorkflowStep> ordered = steps.stream()
                .sorted(Comparator.comparingInt(WorkflowStep::ordinal).thenComparing(WorkflowStep::stepKey))
                .toList();
        Map<UUID, Integer> places = new HashMap<>();
        List<Node> nodes = new ArrayList<>();
        for (WorkflowStep step : ordered) {
            String jobType = step.job() == null ? null : step.job().jobType();
            places.put(step.id(), nodes.size());
            nodes.add(new Node(
                    step.stepKey(),
                    step.kind(),
                    jobType,
                    step.status(),
                    step.condition(),
                    step.stepKey().equals(run.resultStepKey())));
        }
        List<Edge> edges = new ArrayList<>();
        for (StepDependency wait : dependencies) {
            edges.add(new Edge(
                    place(places, wait.prerequisiteStepId()),
                    place(places, wait.dependentStepId()),
                    wait.releaseMode(),
                    wait.inputName()));
        }
        String standing =
                run.isPaused() ? run.status() + ", paused" : run.status().toString();
        return new WorkflowGraph(run.workflowType(), standing, nodes, edges);
    }

    /**
     * Renders a Mermaid flow chart, without the Markdown fence. Statuses are shown by color and text. By default,
     * Mermaid rejects more than 500 edges or 50,000 characters ({@code maxEdges}, {@code maxTextSize}); {@link #dot()}
     * has no such limit.
     */
    public String mermaid() {
        return Mermaid.text(nodes, edges);
    }

    /** Renders a graph for Graphviz, for example {@code dot -Tsvg}. Statuses are shown by color and text. */
    public String dot() {
        return Dot.text(standing == null ? type : type + " " + standing, nodes, edges);
    }

    /**
     * Renders a tree for a terminal, without colors or other control characters. Each step is drawn once, below the
     * last of its prerequisites; the other prerequisites point to it. A symbol before the key and a text after it show
     * the status.
     */
    public String tree() {
        return tree(false);
    }

    /** Renders the tree in ASCII. Other characters in keys are written as character codes. */
    public String asciiTree() {
        return tree(true);
    }

    private String tree(boolean isAscii) {
        String name = LabelEscaper.forTree(type, isAscii);
        return Tree.text(standing == null ? name : name + " " + standing, nodes, edges, isAscii);
    }

    private static <K> int place(Map<K, Integer> places, K step) {
        Integer place = places.get(step);
        if (place == null) {
            throw new IllegalArgumentException(
                    "A dependency names step " + step + ", which is missing: pass all steps of the run.");
        }
        return place;
    }
}
