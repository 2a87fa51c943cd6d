package io.runledger.model.workflow;

/** A declared step. As a dependency, it must succeed. */
public sealed interface StepRef extends Upstream permits JobRef, GateRef {
    String key();

    @Override
    default String step() {
        return key();
    }

    @Override
    default ReleaseMode mode() {
        return ReleaseMode.ON_SUCCESS;
    }
}
