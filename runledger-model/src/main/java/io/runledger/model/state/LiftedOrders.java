package io.runledger.model.state;

import java.util.List;

/**
 * Orders that were lifted, and whom that reaches.
 *
 * @param orders the orders; none when none stood
 * @param workers the workers they held, as their last beats showed them; one that another order holds goes on draining
 */
public record LiftedOrders(List<WorkerOrder> orders, List<Worker> workers) {
    /**
     * Keeps copies of what it is given.
     *
     * @param orders see the record
     * @param workers see the record
     */
    public LiftedOrders {
        orders = List.copyOf(orders);
        workers = List.copyOf(workers);
    }
}
