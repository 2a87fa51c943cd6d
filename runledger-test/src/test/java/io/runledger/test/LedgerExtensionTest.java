package io.runledger.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.RunledgerClient;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a test with a ledger reads in Java. */
@ExtendWith(LedgerExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LedgerExtensionTest {
    private static String first = "";

    @Test
    @Order(1)
    void everyParameterSeesTheSameLedger(TestLedger ledger, RunledgerClient client, DataSource dataSource)
            throws SQLException {
        client.requireCompatibleSchema();

        assertSame(ledger.client(), client);
        assertSame(ledger.dataSource(), dataSource);
        try (var connection = dataSource.getConnection()) {
            assertEquals(ledger.database().name(), connection.getCatalog());
        }
        first = ledger.database().name();
    }

    @Test
    @Order(2)
    void theNextTestGetsAnotherLedgerAndTheFirstIsGone(TestLedger ledger) throws SQLException {
        assertNotEquals(first, ledger.database().name());
        try (var connection = ledger.dataSource().getConnection();
                var query = connection.prepareStatement("SELECT 1 FROM pg_database WHERE datname = ?")) {
            query.setString(1, first);
            assertTrue(!first.isEmpty() && !query.executeQuery().next(), "the first test's database should be dropped");
        }
    }

    @Test
    void aTestWaitsForWhatItCannotBeToldOf() {
        var looks = new AtomicInteger();
        Waiting.until("the third look", () -> looks.incrementAndGet() == 3);
        var inVain = assertThrows(
                AssertionError.class,
                () -> Waiting.until("the moon is full", Duration.ofMillis(1), () -> looks.incrementAndGet() == 3));

        assertTrue(inVain.getMessage().contains("until the moon is full"), inVain.getMessage());
    }

    @Test
    @Order(3)
    void aLedgerMayLiveOnAServerOfYourOwn() {
        try (var ledger =
                TestLedger.freshOn(TestPostgres.on(TestPostgres.shared().server()))) {
            ledger.client().requireCompatibleSchema();
        }
    }
}
