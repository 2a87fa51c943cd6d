package io.runledger.model.job;

import io.runledger.model.ledger.WireText;
import java.util.Locale;

/** The state that a requeued job keeps from its earlier runs; stored in lower case. */
public enum KeptState implements WireText {
    /** Keeps progress and checkpoint: the next run resumes where the last one stopped. */
    PRESERVE_PROGRESS_AND_CHECKPOINT,
    /** Keeps nothing: the next run starts from the beginning. */
    RESET_PROGRESS_AND_CHECKPOINT;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
