package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.model.handler.Deferral;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import java.time.Duration;

/** The backorders of {@code Backorders.kt} in Java. */
public final class BackordersInJava {
    public static final JobType<Backorder> SHIP_BACKORDER = JobType.of("orders.backorder", Backorder.class);

    private static final Deferral RESTOCK = Deferral.every(Duration.ofMinutes(10))
            .within(Duration.ofDays(3))
            .orFail("stock.missing", "No goods arrived for three days.");

    private final Stock stock;

    public BackordersInJava(Stock stock) {
        this.stock = stock;
    }

    public Handlers handlers() {
        return Handlers.builder()
                .blocking(SHIP_BACKORDER, job -> {
                    var order = job.payload();
                    var early = job.deferUntil(order.getNotBefore());
                    if (early != null) return early;
                    var missing = job.deferUntil(RESTOCK, () -> stock.has(order.getItem()));
                    if (missing != null) return missing;
                    return JobOutcome.succeeded(stock.ship(order.getItem()));
                })
                .build();
    }
}
