package io.runledger.model.state;

/** Whether a claim counts as started at once. */
public enum ClaimOrigin implements WireText {
    /** The claim is the start. */
    DIRECT,
    /** The start is marked later; until then the claim can be given back. */
    WORKER_PRESTART;
}
