package io.runledger.model.fleet;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.Identifier;
import org.jspecify.annotations.Nullable;

/**
 * A selection of workers.
 *
 * @param label null for all workers
 */
public record WorkerSelection(@Nullable String label) {
    private static final WorkerSelection ALL = new WorkerSelection(null);

    /** @throws InvalidRequestException with {@code request.invalid} */
    public WorkerSelection {
        if (label != null) {
            Identifier.WORKER_LABEL.require(label);
        }
    }

    public static WorkerSelection all() {
        return ALL;
    }

    /**
     * Workers with a label.
     *
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static WorkerSelection labelled(String label) {
        return new WorkerSelection(Identifier.WORKER_LABEL.require(label));
    }
}
