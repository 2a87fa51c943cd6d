package io.runledger.model.workflow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.SourceLine;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.text.Text;
import io.runledger.model.value.Headers;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds all problems of a workflow or an append. The order of the problems is fixed, so the first problem is stable.
 */
final class WorkflowCheck {
    private final List<WorkflowProblem> problems = new ArrayList<>();

    private WorkflowCheck() {}

    static List<WorkflowProblem> problems(
            String type,
            @Nullable String idempotencyKey,
            @Nullable String activeKey,
            @Nullable String resultStep,
            Map<String, String> headers,
            List<StepRequest> steps) {
        WorkflowCheck check = new WorkflowCheck();
        if (idempotencyKey != null) {
            check.name(Identifier.RUN_IDEMPOTENCY_KEY, Part.of("idempotencyKey"), idempotencyKey);
        }
        if (activeKey != null) {
            check.name(Identifier.ACTIVE_KEY, Part.of("activeKey"), activeKey);
        }
        check.name(Identifier.WORKFLOW_TYPE, Part.of("type"), type);
        check.headers(Part.of("headers"), headers);
        check.steps(steps, Set.of(), true);
        if (resultStep != null) {
            check.result(resultStep, steps);
        }
        return check.problems;
    }

    /** If {@code existing} is null, the check assumes that unknown keys belong to existing steps. */
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
            add(ErrorCode.DAG_EMPTY, Part.of("steps"), "The workflow has no steps: declare at least one job or gate.");
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
                        "The key is already used by steps[" + first + "]"
                                + steps.get(first).declaredAt().inBrackets() + ": use another key.");
            } else if (existing.contains(step.key())) {
                add(ErrorCode.DAG_DUPLICATE_STEP, part, "The run already has a step with this key: use another key.");
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
            headers(part, job.headers());
            job.settings().problems().forEach(problem -> add(problem.stepCode(), part, problem.message()));
            if (job.delay() != null) {
                add(ErrorCode.DAG_INVALID, part, SettingRules.delayProblem(job.delay()));
            }
        } else if (step instanceof GateStep gate && gate.expiresAfter() != null) {
            add(ErrorCode.DAG_INVALID, part, SettingRules.expiryProblem(gate.expiresAfter()));
        }
    }

    private void headers(Part part, Map<String, String> headers) {
        Headers.problems(headers).forEach(sentence -> add(ErrorCode.INVALID_HEADERS, part, sentence));
    }

    private void dependencies(Part part, StepRequest step, Set<String> keys, Set<String> existing, boolean complete) {
        Map<String, Dependency> seen = new HashMap<>();
        for (Dependency dependency : step.dependencies()) {
            String key = dependency.step();
            if (Identifier.STEP_KEY.problem(key).isPresent()) {
                add(
                        ErrorCode.DAG_DEPENDENCY_KEY,
                        part,
                        "The step waits for a step without a valid key: use the key of a declared step.");
            } else if (key.equals(step.key())) {
                add(ErrorCode.DAG_SELF_DEPENDENCY, part, "The step waits for itself: remove the dependency.");
            } else if (seen.putIfAbsent(key, dependency) != null) {
                add(ErrorCode.DAG_DUPLICATE_DEPENDENCY, part, twice(seen.get(key), dependency));
            } else if (complete && !keys.contains(key) && !existing.contains(key)) {
                add(ErrorCode.DAG_MISSING_DEPENDENCY, part, unknown("The step waits for ", key, keys, existing));
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
                    "A gate has no handler that could use the output of " + from
                            + ": wait for the step with after, and use the output in a job.");
        } else if (dependency.mode() != ReleaseMode.ON_SUCCESS) {
            add(
                    ErrorCode.DAG_INPUT,
                    part,
                    "The step uses the output of " + from
                            + ", which may end without an output: pass the step without a mode to wait for its"
                            + " success, or wait with after and read the output with JobContext.output.");
        }
    }

    private static String twice(Dependency first, Dependency second) {
        String step = Text.quoted(first.step());
        if (first.inputName() == null && second.inputName() == null) {
            return "The step waits for " + step + " twice: keep the dependency with the intended mode.";
        }
        if (first.inputName() == null || second.inputName() == null) {
            return "The step uses " + step
                    + " and also waits for it with after: remove it from after, because uses already waits.";
        }
        return "The step uses " + step + " as " + Text.quoted(first.inputName()) + " and as "
                + Text.quoted(second.inputName()) + ": keep one of the two inputs.";
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
                    "The dependencies form a cycle: " + path + ". Remove one of these dependencies.");
        }
    }

    private void result(String resultStep, List<StepRequest> steps) {
        if (Identifier.STEP_KEY.problem(resultStep).isPresent()) {
            add(
                    ErrorCode.DAG_INVALID,
                    Part.of("resultStep"),
                    "The result step has no valid key: use the key of a declared step.");
        } else if (steps.stream().noneMatch(step -> step.key().equals(resultStep))) {
            Set<String> keys = new HashSet<>();
            steps.forEach(step -> keys.add(step.key()));
            add(
                    ErrorCode.DAG_INVALID,
                    Part.of("resultStep"),
                    unknown("The result step is ", resultStep, keys, Set.of()));
        }
    }

    private static String unknown(String prefix, String key, Set<String> keys, Set<String> existing) {
        Set<String> all = new HashSet<>(keys);
        all.addAll(existing);
        return prefix + Text.quoted(key) + ", which is not a step of this workflow: "
                + NearestKey.to(key, all)
                        .map(near -> "did you mean " + Text.quoted(near) + "?")
                        .orElse("declare it, or use the key of a declared step.");
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

    /** The part of the request to which a problem belongs. */
    private record Part(String name, SourceLine declaredAt) {
        static Part of(String name) {
            return new Part(name, SourceLine.UNKNOWN);
        }

        static Part of(int index, StepRequest step) {
            return new Part("steps[" + index + "] " + Text.quoted(step.key()), step.declaredAt());
        }
    }
}
