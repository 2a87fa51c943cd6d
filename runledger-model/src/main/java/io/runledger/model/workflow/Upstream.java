package io.runledger.model.workflow;

import io.runledger.model.condition.Condition;
import io.runledger.model.condition.StepEnding;
import io.runledger.model.condition.ValuePath;
import java.util.List;

/** A prerequisite of a step: a declared step, or a declared step with a release mode. */
public sealed interface Upstream permits StepRef, Dependency {
    /** The key of the prerequisite. */
    String step();

    /** The release mode; the default is {@link ReleaseMode#ON_SUCCESS}. */
    ReleaseMode mode();

    /** A step by its key, for example an existing step on which an appended step depends. */
    static Dependency named(String key) {
        return new Dependency(key, ReleaseMode.ON_SUCCESS);
    }

    /** Waits for success. */
    default Dependency onSuccess() {
        return new Dependency(step(), ReleaseMode.ON_SUCCESS);
    }

    /** Waits for any end, including skipped. */
    default Dependency onTerminal() {
        return new Dependency(step(), ReleaseMode.ON_TERMINAL);
    }

    /** Waits for a failure or a cancellation. A skipped step is neither. */
    default Dependency onFailure() {
        return new Dependency(step(), ReleaseMode.ON_FAILURE);
    }

    /** A condition that is true if the step succeeded. */
    default Condition succeeded() {
        return new Condition.Ended(step(), StepEnding.SUCCEEDED);
    }

    /** A condition that is true if the step failed or was canceled. */
    default Condition failed() {
        return new Condition.Ended(step(), StepEnding.FAILED);
    }

    /** A condition that is true if the step was skipped. */
    default Condition skipped() {
        return new Condition.Ended(step(), StepEnding.SKIPPED);
    }

    /**
     * A value in the output of the step, for a condition.
     *
     * @param path member names from the outermost to the innermost, none for the whole output; a list index counts from
     *     0
     */
    default ValuePath output(String... path) {
        return new ValuePath(step(), List.of(path));
    }
}
