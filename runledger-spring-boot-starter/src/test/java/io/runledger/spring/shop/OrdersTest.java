package io.runledger.spring.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.spring.test.HandWorker;
import io.runledger.spring.test.RunledgerTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

@RunledgerTest(properties = "spring.flyway.locations=classpath:io/runledger/spring/orders")
@Import(Orders.class)
class OrdersTest {
    @Autowired
    Orders orders;

    @Autowired
    HandWorker worker;

    @Autowired
    JdbcTemplate jdbc;

    @Autowired
    TransactionOperations transaction;

    @Test
    void aPlacedOrderIsShipped() {
        orders.place("A-1");

        assertEquals(1, worker.work().finished());
        assertEquals("A-1", jdbc.queryForObject("SELECT number FROM placed_orders WHERE shipped", String.class));
    }

    @Test
    void anOrderThatIsRolledBackIsNotShipped() {
        assertThrows(
                IllegalStateException.class,
                () -> transaction.executeWithoutResult(status -> {
                    orders.place("A-2");
                    throw new IllegalStateException("no stock");
                }));

        assertEquals(0, worker.work().finished());
    }
}
