package io.runledger.model.spec;

import io.runledger.model.state.ReleaseMode;

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
     * Waits for the end, however it comes.
     *
     * @return the same step, on any ending
     */
    default Dependency onTerminal() {
        return new Dependency(step(), ReleaseMode.ON_TERMINAL);
    }

    /**
     * Waits for a failure or a cancellation.
     *
     * @return the same step, on any ending but success
     */
    default Dependency onFailure() {
        return new Dependency(step(), ReleaseMode.ON_FAILURE);
    }
}
