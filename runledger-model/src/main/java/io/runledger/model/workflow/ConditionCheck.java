package io.runledger.model.workflow;

import io.runledger.model.condition.Condition;
import io.runledger.model.condition.StepEnding;
import io.runledger.model.condition.ValuePath;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.text.Text;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Finds all problems of a step's condition. */
final class ConditionCheck {
    private static final int MOST_PARTS = 100;
    private static final int DEEPEST = 10;

    private final Map<String, ReleaseMode> waits = new HashMap<>();
    private final BiConsumer<ErrorCode, String> problems;
    private int parts;

    private ConditionCheck(StepRequest step, BiConsumer<ErrorCode, String> problems) {
        this.problems = problems;
        step.dependencies().forEach(dependency -> waits.putIfAbsent(dependency.step(), dependency.mode()));
    }

    static void check(StepRequest step, BiConsumer<ErrorCode, String> problems) {
        Condition condition = step.condition();
        if (condition != null) {
            ConditionCheck check = new ConditionCheck(step, problems);
            if (check.isWithin(condition, 1) && check.parts <= MOST_PARTS) {
                check.visit(condition);
            } else {
                check.wrong("The condition has more than " + MOST_PARTS + " parts or is nested deeper than " + DEEPEST
                        + ": compute it in a step, and compare the output of that step.");
            }
        }
    }

    private boolean isWithin(Condition condition, int depth) {
        parts++;
        return depth <= DEEPEST
                && (!(condition instanceof Condition.Combined combined)
                        || combined.conditions().stream().allMatch(part -> isWithin(part, depth + 1)));
    }

    private void visit(Condition condition) {
        if (condition instanceof Condition.Combined combined) {
            if (combined.conditions().isEmpty()) {
                wrong("The condition combines no conditions: add at least one.");
            }
            combined.conditions().forEach(this::visit);
        } else if (condition instanceof Condition.Ended ended) {
            ReleaseMode mode = upstream(ended.step());
            if (mode != null && !isPossible(ended.ending(), mode)) {
                never(condition, ended.step());
            }
        } else if (condition instanceof Condition.Compared compared) {
            path(compared.value());
            ReleaseMode mode = compared.value().step() == null
                    ? null
                    : upstream(compared.value().step());
            if (mode == ReleaseMode.ON_FAILURE) {
                never(condition, compared.value().step());
            }
            compared.comparison()
                    .problemWith(compared.operand())
                    .ifPresent(sentence -> wrong("The condition on " + shown(compared.value()) + ": " + sentence));
        }
    }

    /** Whether a step with that release mode can run after that ending. */
    private static boolean isPossible(StepEnding ending, ReleaseMode mode) {
        return switch (mode) {
            case ON_TERMINAL -> true;
            case ON_SUCCESS -> ending == StepEnding.SUCCEEDED;
            case ON_FAILURE -> ending == StepEnding.FAILED;
        };
    }

    private @Nullable ReleaseMode upstream(String step) {
        ReleaseMode mode = waits.get(step);
        if (mode == null) {
            String key = Text.quoted(step);
            problems.accept(
                    ErrorCode.DAG_CONDITION_STEP,
                    "The condition uses " + key + ", which is not a dependency of the step: add it with after.");
        }
        return mode;
    }

    private void path(ValuePath value) {
        if (value.step() == null && value.path().isEmpty()) {
            wrong("The condition uses the whole context: name a member of the context.");
        }
        if (!value.path().stream().allMatch(Text::isStorable)) {
            wrong("The condition uses " + shown(value) + ", a name that the ledger cannot store: use another name.");
        }
    }

    private void never(Condition condition, String step) {
        wrong(Text.quoted(condition.toString()) + " can never be true with the release mode of " + Text.quoted(step)
                + ": depend on the step with onTerminal().");
    }

    private static String shown(ValuePath value) {
        return Text.quoted(value.toString());
    }

    private void wrong(String sentence) {
        problems.accept(ErrorCode.DAG_CONDITION, sentence);
    }
}
