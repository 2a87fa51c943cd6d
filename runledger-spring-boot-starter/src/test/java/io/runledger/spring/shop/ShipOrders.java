package io.runledger.spring.shop;

import io.runledger.model.handler.JobContext;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.spring.TypedJobHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class ShipOrders implements TypedJobHandler<Shipment> {
    private final JdbcTemplate jdbc;

    ShipOrders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public JobType<Shipment> jobType() {
        return Shipment.SHIP;
    }

    @Override
    public JobOutcome handle(JobContext<Shipment> job) {
        jdbc.update(
                "UPDATE placed_orders SET shipped = true WHERE number = ?",
                job.payload().order());
        return JobOutcome.succeeded();
    }
}
