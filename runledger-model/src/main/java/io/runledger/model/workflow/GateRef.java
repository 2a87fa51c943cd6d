package io.runledger.model.workflow;

/** A declared gate. */
public record GateRef(String key) implements StepRef {}
