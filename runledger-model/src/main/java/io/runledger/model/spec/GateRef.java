package io.runledger.model.spec;

/**
 * An external gate that was declared.
 *
 * @param key the step's key
 */
public record GateRef(String key) implements StepRef {}
