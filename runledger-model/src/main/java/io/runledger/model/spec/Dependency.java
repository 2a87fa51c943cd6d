package io.runledger.model.spec;

import io.runledger.model.state.ReleaseMode;
import org.jspecify.annotations.Nullable;

/**
 * What a step waits for, which endings of it are good enough, and what its output is to the step.
 *
 * @param step key of the step that must end first
 * @param mode which endings satisfy the dependency; when the prerequisite ends otherwise, the dependent is canceled, or
 *     skipped if the prerequisite was skipped
 * @param inputName name of the input that the prerequisite's output is, or null when the step only waits for it
 */
public record Dependency(
        String step, ReleaseMode mode, @Nullable String inputName) implements Upstream {
    /**
     * A step that is only waited for.
     *
     * @param step see the record
     * @param mode see the record
     */
    public Dependency(String step, ReleaseMode mode) {
        this(step, mode, null);
    }

    static Dependency of(Upstream upstream) {
        return upstream instanceof Dependency dependency
                ? dependency
                : new Dependency(upstream.step(), upstream.mode());
    }
}
