package io.runledger.samples;

import static io.runledger.samples.OrderFulfilmentInJava.SHIP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobStatus;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job that shares the transaction of plain JDBC code. */
@ExtendWith(LedgerExtension.class)
class TransactionalEnqueueTest {
    @BeforeEach
    void declare(RunledgerClient client) {
        client.definitions().declare(SHIP);
    }

    @Test
    void theJobAppearsWithTheCommit(RunledgerClient client, DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            var job = client.within(connection).jobs().enqueue(SHIP, new OrderRef("A-1001"));

            assertNull(client.jobs().find(Scope.global(), job.id()));
            connection.commit();
            assertEquals(
                    JobStatus.PENDING,
                    client.jobs().get(Scope.global(), job.id()).status());
        }
    }

    @Test
    void theJobGoesWithTheRollback(RunledgerClient client, DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            var job = client.within(connection).jobs().enqueue(SHIP, new OrderRef("A-1001"));

            connection.rollback();

            assertNull(client.jobs().find(Scope.global(), job.id()));
        }
    }
}
