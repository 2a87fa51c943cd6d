package io.runledger.model.workflow;

import org.jspecify.annotations.Nullable;

/**
 * A dependency on a prerequisite step.
 *
 * @param step key of the prerequisite
 * @param mode condition for the end of the prerequisite. If it is not met, the dependent step is canceled, or skipped
 *     if the prerequisite was skipped
 * @param inputName name of the input that is bound to the output of the prerequisite, or null if the step only waits
 *     for it
 */
public record Dependency(
        String step, ReleaseMode mode, @Nullable String inputName) implements Upstream {
    /** A dependency without an input. */
    public Dependency(String step, ReleaseMode mode) {
        this(step, mode, null);
    }

    static Dependency of(Upstream upstream) {
        return upstream instanceof Dependency dependency
                ? dependency
                : new Dependency(upstream.step(), upstream.mode());
    }
}
