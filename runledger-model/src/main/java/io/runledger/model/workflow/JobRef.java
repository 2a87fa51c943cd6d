package io.runledger.model.workflow;

/** A declared job step. */
public record JobRef(String key) implements StepRef {}
