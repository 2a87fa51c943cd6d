package io.runledger.model.spec;

import io.runledger.model.condition.Condition;
import io.runledger.model.condition.StepEnding;
import io.runledger.model.condition.ValuePath;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.id.Text;
import io.runledger.model.state.ReleaseMode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Finds everything that is wrong with the condition of a step: what it looks at, and how it compares. */
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
                check.wrong("Its condition has more than " + MOST_PARTS + " parts or is nested deeper than " + DEEPEST
                        + ": let a step work it out, and look at its output.");
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
                wrong("Its condition combines nothing: name at least one condition.");
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
                    .ifPresent(sentence -> wrong("Its condition on " + shown(compared.value()) + ": " + sentence));
        }
    }

    /** Whether a step that waits in that mode can still run after that ending. */
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
                    "Its condition looks at " + key + ", which it does not wait for: add it with after.");
        }
        return mode;
    }

    private void path(ValuePath value) {
        if (value.step() == null && value.path().isEmpty()) {
            wrong("Its condition looks at the whole context: name a member of it.");
        }
        if (!value.path().stream().allMatch(Text::isStorable)) {
            wrong("Its condition looks at " + shown(value) + ", a name that the ledger cannot store.");
        }
    }

    private void never(Condition condition, String step) {
        wrong(Text.quoted(condition.toString()) + " can never be true as it waits for " + Text.quoted(step)
                + ": wait for it with onTerminal().");
    }

    private static String shown(ValuePath value) {
        return Text.quoted(value.toString());
    }

    private void wrong(String sentence) {
        problems.accept(ErrorCode.DAG_CONDITION, sentence);
    }
}
