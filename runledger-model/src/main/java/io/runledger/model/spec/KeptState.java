package io.runledger.model.spec;

import io.runledger.model.state.WireText;
import java.util.Locale;

/** What a requeued job keeps of its earlier runs; stored in lower case. */
public enum KeptState implements WireText {
    /** Counts and checkpoint: the next run goes on where the last one stopped. */
    PRESERVE_PROGRESS_AND_CHECKPOINT,
    /** Nothing: the next run starts afresh. */
    RESET_PROGRESS_AND_CHECKPOINT;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
