package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobQuery;
import io.runledger.model.job.JobStatus;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

@ExtendWith(LedgerExtension.class)
class SpringShopTest {
    private final AnnotationConfigApplicationContext spring = new AnnotationConfigApplicationContext();
    private SpringShop.Shop shop;

    @BeforeEach
    void start(RunledgerClient client, DataSource dataSource) {
        new JdbcTemplate(dataSource).execute("CREATE TABLE shop_orders (number text PRIMARY KEY)");
        client.definitions().declare(SpringShop.SHIP);
        spring.registerBean(DataSource.class, () -> dataSource);
        spring.register(SpringShop.class);
        spring.refresh();
        shop = spring.getBean(SpringShop.Shop.class);
    }

    @AfterEach
    void stop() {
        spring.close();
    }

    @Test
    void theJobIsCommittedWithTheOrder(RunledgerClient client) {
        var job = shop.order("A-1001");

        assertEquals(JobStatus.PENDING, client.jobs().get(Scope.global(), job).status());
    }

    @Test
    void whatSpringRollsBackWasNeverEnqueued(RunledgerClient client) {
        shop.order("A-1001");

        assertThrows(DuplicateKeyException.class, () -> shop.order("A-1001"));

        assertEquals(
                1, client.jobs().list(Scope.global(), JobQuery.all()).items().size());
    }

    @Test
    void enqueueingOutsideOfATransactionIsRefused() {
        var refused = assertThrows(
                InvalidRequestException.class, () -> shop.enqueue(SpringShop.SHIP, new SpringShop.Shipment("A-1001")));

        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
    }
}
