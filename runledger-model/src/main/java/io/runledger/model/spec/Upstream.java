package io.runledger.model.spec;

import io.runledger.model.condition.Condition;
import io.runledger.model.condition.StepEnding;
import io.runledger.model.condition.ValuePath;
import io.runledger.model.state.ReleaseMode;
import java.util.List;

/** Something a step can wait for: a step declared earlier, or such a step with a condition. */
public sealed interface Upstream permits StepRef, Dependency {
    /**
     * The step that must end first.
     *
     * @return its key
     */
    String step();

    /**
     * Which endings of that step are good enough.
     *
     * @return {@link ReleaseMode#ON_SUCCESS} unless said otherwise
     */
    ReleaseMode mode();

    /**
     * A step known by its key only, for example one that already runs, to be waited for by an appended step.
     *
     * @param key the step's key
     * @return the step, on success
     */
    static Dependency named(String key) {
        return new Dependency(key, ReleaseMode.ON_SUCCESS);
    }

    /**
     * Waits for success.
     *
     * @return the same step, on success
     */
    default Dependency onSuccess() {
        return new Dependency(step(), ReleaseMode.ON_SUCCESS);
    }

    /**
     * Waits for the end, however it comes, being skipped included.
     *
     * @return the same step, on any ending
     */
    default Dependency onTerminal() {
        return new Dependency(step(), ReleaseMode.ON_TERMINAL);
    }

    /**
     * Waits for a failure or a cancellation. A step that was skipped is neither.
     *
     * @return the same step, on any ending but success
     */
    default Dependency onFailure() {
        return new Dependency(step(), ReleaseMode.ON_FAILURE);
    }

    /**
     * For a condition: true when it succeeded.
     *
     * @return the condition
     */
    default Condition succeeded() {
        return new Condition.Ended(step(), StepEnding.SUCCEEDED);
    }

    /**
     * For a condition: true when it failed or was canceled.
     *
     * @return the condition
     */
    default Condition failed() {
        return new Condition.Ended(step(), StepEnding.FAILED);
    }

    /**
     * For a condition: true when it was skipped.
     *
     * @return the condition
     */
    default Condition skipped() {
        return new Condition.Ended(step(), StepEnding.SKIPPED);
    }

    /**
     * For a condition: a value in what it returned or, for a gate, was completed with.
     *
     * @param path names of members from the outside in, none for the whole output; the place in a list counts from 0
     * @return where to look
     */
    default ValuePath output(String... path) {
        return new ValuePath(step(), List.of(path));
    }
}
