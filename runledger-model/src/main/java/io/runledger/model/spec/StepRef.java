package io.runledger.model.spec;

import io.runledger.model.state.ReleaseMode;

/** A step that was declared; waiting for it means waiting for its success. */
public sealed interface StepRef extends Upstream permits JobRef, GateRef {
    /**
     * The step's key.
     *
     * @return unique within its run
     */
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
