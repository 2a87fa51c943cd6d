package io.runledger.model.spec;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import org.jspecify.annotations.Nullable;

/**
 * Which workers an operator means.
 *
 * @param label those with this label, or every worker when null
 */
public record WorkerSelection(@Nullable String label) {
    private static final WorkerSelection ALL = new WorkerSelection(null);

    /**
     * Checks the label.
     *
     * @param label see the record
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public WorkerSelection {
        if (label != null) {
            Identifier.WORKER_LABEL.require(label);
        }
    }

    /**
     * Every worker.
     *
     * @return the whole fleet
     */
    public static WorkerSelection all() {
        return ALL;
    }

    /**
     * Workers that carry a label.
     *
     * @param label the label
     * @return that part of the fleet
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static WorkerSelection labelled(String label) {
        return new WorkerSelection(Identifier.WORKER_LABEL.require(label));
    }
}
