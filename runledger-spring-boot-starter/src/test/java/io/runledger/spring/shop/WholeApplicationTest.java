package io.runledger.spring.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.ledger.Scope;
import io.runledger.spring.RunledgerWorkerLifecycle;
import io.runledger.spring.beans.MoreBeans;
import io.runledger.spring.test.AutoConfigureTestLedger;
import io.runledger.spring.test.HandWorker;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A whole application, with the worker of the test kit in place of its own. */
@SpringBootTest(
        classes = {ShopApplication.class, MoreBeans.ListedHandlers.class},
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "spring.flyway.locations=classpath:io/runledger/spring/orders")
@AutoConfigureTestLedger(schema = "shop")
class WholeApplicationTest {
    @Autowired
    RunledgerClient client;

    @Autowired
    HandWorker worker;

    @Autowired
    TestLedger ledger;

    @Autowired
    DataSource dataSource;

    @Autowired
    ObjectProvider<RunledgerWorkerLifecycle> workers;

    @Test
    void theApplicationUsesTheLedgerOfTheTestAndItsWorkerDoesNotStart() {
        var now = client.jobs().enqueue(MoreBeans.INVOICE, "A-1").id();
        var later = client.jobs()
                .enqueue(MoreBeans.COLLECT, "A-1", job -> job.delay(Duration.ofDays(30)))
                .id();

        assertEquals("shop", client.schema());
        assertSame(ledger.dataSource(), dataSource);
        assertEquals(List.of(), workers.stream().toList());
        assertEquals(1, worker.work().finished());
        assertEquals(
                "\"invoice of A-1\"",
                client.jobs().get(Scope.global(), now).output().text());
        assertEquals(1, worker.workAfter(Duration.ofDays(30)).finished());
        assertTrue(client.jobs().get(Scope.global(), later).status().isTerminal());
    }
}
