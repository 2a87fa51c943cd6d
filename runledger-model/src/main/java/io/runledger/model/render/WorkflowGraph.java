package io.runledger.model.render;

import io.runledger.model.spec.JobStep;
import io.runledger.model.spec.StepRequest;
import io.runledger.model.spec.WorkflowRequest;
import io.runledger.model.state.StepDependency;
import io.runledger.model.state.WorkflowRun;
import io.runledger.model.state.WorkflowStep;
import io.runledger.model.state.WorkflowStory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A workflow to be drawn: what is asked for, or a run with where its steps stand. The same workflow always gives the same text.
 * Gates look different from jobs, a step with a condition says it, an edge
 * that waits for something else than success or carries an input says so, and whatever a
 * key contains stays inside its label. Every text ends with a line break.
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

    /**
     * A definition: the steps without statuses.
     *
     * @param workflow what is, or could be, started
     * @return its graph, in the order declared
     */
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

    /**
     * A run with where its steps stand.
     *
     * @param story the run, as read from the ledger
     * @return its graph, in the order declared
     */
    public static WorkflowGraph of(WorkflowStory story) {
        return of(story.run(), story.steps(), story.dependencies());
    }

    /**
     * A run with where its steps stand.
     *
     * @param run the run
     * @param steps all its steps, in any order
     * @param dependencies which of them waits for which
     * @return its graph, in the order declared
     * @throws IllegalArgumentException when a dependency names a step that is not among {@code steps}
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
     * A flow chart for everything that draws Mermaid: Markdown pages, wikis, chats. Statuses are coloured and said. Mermaid itself
     * refuses more than 500 edges or 50,000 characters unless its page allows more ({@code maxEdges}, {@code maxTextSize});
     * {@link #dot()} has no such limit.
     *
     * @return the text of the chart, without the fence around it
     */
    public String mermaid() {
        return Mermaid.text(nodes, edges);
    }

    /**
     * A graph for Graphviz, for example {@code dot -Tsvg}. Statuses are coloured and said.
     *
     * @return the text of the graph
     */
    public String dot() {
        return Dot.text(standing == null ? type : type + " " + standing, nodes, edges);
    }

    /**
     * A tree for a terminal. Each step is drawn once, below the last of the steps it waits for; the others point to it. A mark
     * before the key and a word after it say where it stands.
     *
     * @return lines without colours or other control characters
     */
    public String tree() {
        return tree(false);
    }

    /**
     * The tree for terminals and logs that know nothing but ASCII; other characters in keys are written as their numbers.
     *
     * @return lines of ASCII
     */
    public String asciiTree() {
        return tree(true);
    }

    private String tree(boolean isAscii) {
        String name = Shown.inTree(type, isAscii);
        return Tree.text(standing == null ? name : name + " " + standing, nodes, edges, isAscii);
    }

    private static <K> int place(Map<K, Integer> places, K step) {
        Integer place = places.get(step);
        if (place == null) {
            throw new IllegalArgumentException(
                    "A dependency names step " + step + ", which is not there: pass all steps of the run.");
        }
        return place;
    }
}
