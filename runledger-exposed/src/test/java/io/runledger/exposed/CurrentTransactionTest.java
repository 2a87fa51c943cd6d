package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class CurrentTransactionTest {
    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    @Test
    void aServiceLetsTheClientJoinItsTransactions() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.builder(database.dataSource())
                    .joinCurrentTransaction(CURRENT::get)
                    .build();
            runledger.migrate();
            runledger.definitions().declare(JobType.of("mail", Json.class));
            var request = JobRequest.builder("mail", Json.NULL).build();

            try (var connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                CURRENT.set(connection);
                var lost = runledger.jobs().enqueue(request).id();
                var kept = runledger.inOwnTransactions().jobs().enqueue(request).id();
                connection.rollback();
                CURRENT.remove();

                assertNull(runledger.jobs().find(Scope.global(), lost));
                assertEquals(kept, runledger.jobs().get(Scope.global(), kept).id());
            }
        }
    }
}
