package io.runledger.model.state;

import java.util.List;

/**
 * An order, and whom it reaches.
 *
 * @param order the order as it was written
 * @param workers the workers it addresses, as their last beats showed them, lost ones too: they have not obeyed yet
 */
public record GivenOrder(WorkerOrder order, List<Worker> workers) {
    /**
     * Keeps a copy of the workers.
     *
     * @param order see the record
     * @param workers see the record
     */
    public GivenOrder {
        workers = List.copyOf(workers);
    }
}
