package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.SourceLine;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.id.Identifier;
import io.runledger.model.id.Text;
import io.runledger.model.state.ReleaseMode;
import io.runledger.model.state.StepKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds everything that is wrong with a workflow or an append; the order of the problems is fixed, so the first one is stable. */
final class WorkflowCheck {
    private final List<WorkflowProblem> problems = new ArrayList<>();

    private WorkflowCheck() {}

    static List<WorkflowProblem> problems(
            String type,
            @Nullable String idempotencyKey,
            @Nullable String activeKey,
            @Nullable String resultStep,
            List<StepRequest> steps) {
        WorkflowCheck check = new WorkflowCheck();
        if (idempotencyKey != null) {
            check.name(Identifier.RUN_IDEMPOTENCY_KEY, Part.of("idempotencyKey"), idempotencyKey);
        }
        if (activeKey != null) {
            check.name(Identifier.ACTIVE_KEY, Part.of("activeKey"), activeKey);
        }
        check.name(Identifier.WORKFLOW_TYPE, Part.of("type"), type);
        check.steps(steps, Set.of(), true);
        if (resultStep != null) {
            check.result(resultStep, steps);
        }
        return check.problems;
    }

    /** Without {@code existing}, a dependency on a key that is not among the new steps is assumed to exist. */
    static List<WorkflowProblem> appendProblems(
            String mutationKey, String window, List<StepRequest> steps, @Nullable Set<String> existing) {
        WorkflowCheck check = new WorkflowCheck();
        check.name(Identifier.MUTATION_KEY, Part.of("mutationKey"), mutationKey);
        Identifier.STEP_KEY
                .problem(window)
                .ifPresent(sentence -> check.add(ErrorCode.APPEND_WINDOW_MISSING, Part.of("window"), sentence));
        check.steps(steps, existing == null ? Set.of() : existing, existing != null);
        return check.problems;
    }

    private void steps(List<StepRequest> steps, Set<String> existing, boolean complete) {
        if (steps.isEmpty()) {
            add(ErrorCode.DAG_EMPTY, Part.of("steps"), "There is no step: declare at least one job or gate.");
            return;
        }
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int index = 0; index < steps.size(); index++) {
            StepRequest step = steps.get(index);
            Part part = Part.of(index, step);
            name(Identifier.STEP_KEY, part, step.key());
            settings(part, step);
            Integer first = places.putIfAbsent(step.key(), index);
            if (first != null) {
                add(
                        ErrorCode.DAG_DUPLICATE_STEP,
                        part,
                        "The key is already that of steps[" + first + "]"
                                + steps.get(first).declaredAt().inBrackets() + ": choose another.");
            } else if (existing.contains(step.key())) {
                add(ErrorCode.DAG_DUPLICATE_STEP, part, "The run already has a step of this key: choose another.");
            }
        }
        for (int index = 0; index < steps.size(); index++) {
            StepRequest step = steps.get(index);
            Part part = Part.of(index, step);
            dependencies(part, step, places.keySet(), existing, complete);
            ConditionCheck.check(step, (code, sentence) -> add(code, part, sentence));
        }
        cycles(steps);
    }

    private void settings(Part part, StepRequest step) {
        if (step instanceof JobStep job) {
            Identifier.JOB_TYPE
                    .problem(job.jobType())
                    .ifPresent(sentence -> add(ErrorCode.DAG_JOB_TYPE, part, sentence));
            if (job.maxAttempts() != null) {
                add(ErrorCode.DAG_MAX_ATTEMPTS, part, Setting.maxAttemptsProblem(job.maxAttempts()));
            }
            if (job.timeout() != null) {
                add(ErrorCode.DAG_TIMEOUT, part, Setting.timeoutProblem(job.timeout()));
            }
            if (job.delay() != null) {
                add(ErrorCode.DAG_INVALID, part, Setting.delayProblem(job.delay()));
            }
        } else if (step instanceof GateStep gate && gate.expiresAfter() != null) {
            add(ErrorCode.DAG_INVALID, part, Setting.expiryProblem(gate.expiresAfter()));
        }
    }

    private void dependencies(Part part, StepRequest step, Set<String> keys, Set<String> existing, boolean complete) {
        Map<String, Dependency> seen = new HashMap<>();
        for (Dependency dependency : step.dependencies()) {
            String key = dependency.step();
            if (Identifier.STEP_KEY.problem(key).isPresent()) {
                add(
                        ErrorCode.DAG_DEPENDENCY_KEY,
                        part,
                        "It waits for a step without a usable key: name a declared step.");
            } else if (key.equals(step.key())) {
                add(ErrorCode.DAG_SELF_DEPENDENCY, part, "It waits for itself: remove the dependency.");
            } else if (seen.putIfAbsent(key, dependency) != null) {
                add(ErrorCode.DAG_DUPLICATE_DEPENDENCY, part, twice(seen.get(key), dependency));
            } else if (complete && !keys.contains(key) && !existing.contains(key)) {
                add(ErrorCode.DAG_MISSING_DEPENDENCY, part, unknown("It waits for ", key, keys, existing));
            }
            if (dependency.inputName() != null) {
                input(part, step, dependency);
            }
        }
    }

    private void input(Part part, StepRequest step, Dependency dependency) {
        name(Identifier.INPUT_NAME, part, dependency.inputName());
        String from = Text.quoted(dependency.step());
        if (step.kind() == StepKind.EXTERNAL) {
            add(
                    ErrorCode.DAG_INPUT,
                    part,
                    "A gate runs nothing that could use the output of " + from
                            + ": wait for it with after, and use it in" + " a job.");
        } else if (dependency.mode() != ReleaseMode.ON_SUCCESS) {
            add(
                    ErrorCode.DAG_INPUT,
                    part,
                    "It uses the output of " + from
                            + ", which may end without one: use the bare step, which waits for its"
                            + " success, or wait with after and ask the context for its output.");
        }
    }

    private static String twice(Dependency first, Dependency second) {
        String step = Text.quoted(first.step());
        if (first.inputName() == null && second.inputName() == null) {
            return "It waits for " + step + " twice: keep one of the two, with the mode you mean.";
        }
        if (first.inputName() == null || second.inputName() == null) {
            return "It uses " + step
                    + " and waits for it besides: uses waits by itself, so remove the step from after.";
        }
        return "It uses " + step + " as " + Text.quoted(first.inputName()) + " and as "
                + Text.quoted(second.inputName()) + ": one step gives one input, so keep one of the two.";
    }

    private void cycles(List<StepRequest> steps) {
        Map<String, StepRequest> byKey = new HashMap<>();
        steps.forEach(step -> byKey.putIfAbsent(step.key(), step));
        for (List<String> cycle : Cycles.in(steps)) {
            StringBuilder path = new StringBuilder();
            cycle.forEach(key -> path.append(Text.quoted(key)).append(" waits for "));
            path.append(Text.quoted(cycle.get(0)));
            int index = steps.indexOf(byKey.get(cycle.get(0)));
            add(
                    ErrorCode.DAG_CYCLE,
                    Part.of(index, steps.get(index)),
                    "Steps wait for each other: " + path + ". Remove one of these dependencies.");
        }
    }

    private void result(String resultStep, List<StepRequest> steps) {
        if (Identifier.STEP_KEY.problem(resultStep).isPresent()) {
            add(
                    ErrorCode.DAG_INVALID,
                    Part.of("resultStep"),
                    "The result step has no usable key: name a declared step.");
        } else if (steps.stream().noneMatch(step -> step.key().equals(resultStep))) {
            Set<String> keys = new HashSet<>();
            steps.forEach(step -> keys.add(step.key()));
            add(ErrorCode.DAG_INVALID, Part.of("resultStep"), unknown("It is ", resultStep, keys, Set.of()));
        }
    }

    private static String unknown(String prefix, String key, Set<String> keys, Set<String> existing) {
        Set<String> all = new HashSet<>(keys);
        all.addAll(existing);
        return prefix + Text.quoted(key) + ", which is no step of this workflow: "
                + NearestKey.to(key, all)
                        .map(near -> "did you mean " + Text.quoted(near) + "?")
                        .orElse("declare it, or name one that is declared.");
    }

    private void name(Identifier rule, Part part, @Nullable String text) {
        rule.problem(text).ifPresent(sentence -> add(rule.code(), part, sentence));
    }

    private void add(ErrorCode code, Part part, Optional<String> sentence) {
        sentence.ifPresent(text -> add(code, part, text));
    }

    private void add(ErrorCode code, Part part, String sentence) {
        problems.add(new WorkflowProblem(code, part.name(), sentence, part.declaredAt()));
    }

    /** What a problem is about. */
    private record Part(String name, SourceLine declaredAt) {
        static Part of(String name) {
            return new Part(name, SourceLine.UNKNOWN);
        }

        static Part of(int index, StepRequest step) {
            return new Part("steps[" + index + "] " + Text.quoted(step.key()), step.declaredAt());
        }
    }
}
