package io.runledger.model.spec;

import io.runledger.model.state.ReleaseMode;

/**
 * What a step waits for, and which endings of it are good enough.
 *
 * @param step key of the step that must end first
 * @param mode which endings satisfy the dependency; when the prerequisite ends otherwise, the dependent is canceled
 */
public record Dependency(String step, ReleaseMode mode) implements Upstream {}
