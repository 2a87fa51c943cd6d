package io.runledger.model.job;

import io.runledger.model.ledger.WireText;

/** Whether a claim counts as the start of the attempt. */
public enum ClaimOrigin implements WireText {
    /** The claim counts as the start. */
    DIRECT,
    /** The start is recorded later; until then the claim can be released. */
    WORKER_PRESTART;
}
