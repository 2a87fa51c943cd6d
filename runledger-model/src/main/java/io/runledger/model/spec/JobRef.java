package io.runledger.model.spec;

/**
 * A job step that was declared.
 *
 * @param key the step's key
 */
public record JobRef(String key) implements StepRef {}
