package io.runledger.coroutines.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.Mail;
import io.runledger.exposed.Ledgers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How Java serves many ledgers with one worker. */
class SharedWorkerTest {
    record Mail(String to) {}

    static final JobType<Mail> SEND = JobType.of("mail.send", Mail.class);

    @Test
    void tenantsComeAndGoWhileTheWorkerRuns() throws Exception {
        var sent = new LinkedBlockingQueue<String>();
        try (var database = TestPostgres.shared().freshDatabase()) {
            var ledgers = Ledgers.of(database.dataSource());
            try (var worker = SharedWorker.start(8, (equipped, ledger) -> equipped.handlers(sending(ledger, sent)))) {
                for (var tenant : List.of("acme", "globex")) {
                    ledgers.create(tenant);
                    var client = ledgers.client(tenant);
                    client.definitions().sync(List.of(SEND));
                    worker.serve(client);
                    assertTrue(client.isSameLedger(ledgers.client(tenant)));
                    client.jobs().enqueue(SEND, new Mail("ada@example.org"));
                    assertEquals(tenant + " to ada@example.org", sent.poll(1, TimeUnit.MINUTES));
                }
                assertEquals(Set.of("acme", "globex"), worker.serving());

                assertEquals(1, worker.leave("acme").join().finished());
                ledgers.drop("acme");

                assertEquals(Set.of("globex"), worker.serving());
                assertEquals(8, worker.places());
            }
        }
    }

    private static Handlers sending(RunledgerClient ledger, LinkedBlockingQueue<String> sent) {
        return Handlers.builder()
                .blocking(SEND, job -> {
                    sent.add(ledger.schema() + " to " + job.payload().to());
                    return JobOutcome.succeeded();
                })
                .build();
    }
}
