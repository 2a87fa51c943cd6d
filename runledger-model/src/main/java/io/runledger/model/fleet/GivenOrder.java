package io.runledger.model.fleet;

import java.util.List;

/**
 * An order, and the workers that it addresses.
 *
 * @param workers addressed workers, as of their last heartbeat, before they follow the order; includes lost workers
 */
public record GivenOrder(WorkerOrder order, List<Worker> workers) {
    public GivenOrder {
        workers = List.copyOf(workers);
    }
}
