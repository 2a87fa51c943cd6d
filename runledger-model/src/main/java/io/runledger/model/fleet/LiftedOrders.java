package io.runledger.model.fleet;

import java.util.List;

/**
 * Orders that were lifted, and the workers that they addressed.
 *
 * @param orders empty if no order was in effect
 * @param workers addressed workers, as of their last heartbeat; a worker continues to drain while another order applies
 *     to it
 */
public record LiftedOrders(List<WorkerOrder> orders, List<Worker> workers) {
    public LiftedOrders {
        orders = List.copyOf(orders);
        workers = List.copyOf(workers);
    }
}
