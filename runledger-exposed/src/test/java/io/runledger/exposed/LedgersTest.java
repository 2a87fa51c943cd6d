package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.exposed.lifecycle.Destroying;
import io.runledger.exposed.lifecycle.ListedLedger;
import io.runledger.model.error.ConflictException;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.job.JobType;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How Java makes and drops the ledgers of tenants. */
class LedgersTest {
    record Mail(String to) {}

    static final JobType<Mail> SEND = JobType.of("mail.send", Mail.class);

    @Test
    void ledgersAreMadeListedAndDropped() {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var ledgers = Ledgers.of(database.dataSource(), client -> client.maxPayloadBytes(10_000));
            ledgers.create("acme");
            ledgers.create("globex");
            assertEquals(
                    List.of("acme", "globex"),
                    ledgers.list().stream().map(ListedLedger::schema).toList());

            RunledgerClient acme = ledgers.client("acme");
            assertSame(acme, ledgers.client("acme"));
            acme.definitions().sync(List.of(SEND));
            acme.jobs().enqueue(SEND, new Mail("ada@example.org"));

            var refusal = assertThrows(ConflictException.class, () -> ledgers.drop("acme"));
            assertEquals(ErrorCode.SCHEMA_IN_USE, refusal.code());
            assertEquals(1, ledgers.drop("acme", Destroying.UNFINISHED_JOBS).unfinishedJobs());
            assertEquals(1, ledgers.list().size());
        }
    }
}
