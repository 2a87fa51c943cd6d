package io.runledger.spring.shop;

import io.runledger.exposed.RunledgerClient;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {
    private final RunledgerClient runledger;
    private final JdbcTemplate jdbc;

    Orders(RunledgerClient runledger, JdbcTemplate jdbc) {
        this.runledger = runledger;
        this.jdbc = jdbc;
    }

    @Transactional
    public void place(String order) {
        jdbc.update("INSERT INTO placed_orders (number) VALUES (?)", order);
        runledger.jobs().enqueue(Shipment.SHIP, new Shipment(order));
    }
}
