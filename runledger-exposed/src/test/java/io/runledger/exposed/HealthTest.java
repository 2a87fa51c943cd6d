package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.ledger.Health;
import io.runledger.model.ledger.Verification;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthTest {
    @Test
    void anOperatorAsksHowTheLedgerFares() {
        try (TestDatabase database = TestPostgres.shared().freshDatabase()) {
            RunledgerClient client = RunledgerClient.create(database.dataSource());
            client.migrate();

            Health health = client.health();
            Verification verification = client.verify();

            assertEquals(List.of(), health.concerns());
            assertEquals(List.of(), health.stoppedLimits());
            assertEquals(List.of(), health.unservedQueues());
            assertTrue(verification.isSound(), verification::toString);
        }
    }
}
