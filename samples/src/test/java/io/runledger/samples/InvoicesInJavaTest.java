package io.runledger.samples;

import static io.runledger.samples.InvoicesInJava.SEND_INVOICE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.coroutines.Handlers;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobStatus;
import io.runledger.model.ledger.Disposition;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class InvoicesInJavaTest {
    private final Handlers handlers = Handlers.builder()
            .blocking(
                    SEND_INVOICE,
                    job -> job.attempt() == 1 ? JobOutcome.retry("mail.greylisted", "Later.") : JobOutcome.succeeded())
            .build();

    @BeforeEach
    void declare(TestLedger ledger) {
        ledger.client().definitions().declare(SEND_INVOICE);
    }

    @Test
    void aGreylistedInvoiceIsSentAQuarterOfAnHourLater(TestLedger ledger) {
        var job = new InvoicesInJava(ledger.client()).send("A-1").id();

        ledger.work(handlers);
        assertEquals(
                JobStatus.PENDING,
                ledger.client().jobs().get(Scope.global(), job).status());
        ledger.advance(Duration.ofMinutes(16));
        ledger.work(handlers);

        assertEquals(
                JobStatus.SUCCEEDED,
                ledger.client().jobs().get(Scope.global(), job).status());
    }

    @Test
    void aReminderIsOneJobHoweverOftenItIsAskedFor(TestLedger ledger) {
        var invoices = new InvoicesInJava(ledger.client());
        var dueAt = Instant.now().plus(Duration.ofDays(14));

        assertEquals(
                invoices.remind("A-1", dueAt).id(),
                invoices.remind("A-1", dueAt).id());
        assertEquals(2, invoices.sendAll(List.of("A-2", "A-3")).size());
    }

    @Test
    void theSameInvoiceIsOneJobWhileItWaits(TestLedger ledger) {
        var invoices = new InvoicesInJava(ledger.client());

        assertEquals(Disposition.INSERTED, invoices.sendOnce("A-4").disposition());
        assertEquals(Disposition.EXISTING, invoices.sendOnce("A-4").disposition());
        assertEquals(Disposition.INSERTED, invoices.sendAtMostHourly("A-5").disposition());
        assertEquals(Disposition.EXISTING, invoices.sendAtMostHourly("A-5").disposition());
        assertEquals(Disposition.INSERTED, invoices.sendWhenFinal("A-6").disposition());
        assertEquals(Disposition.REPLACED, invoices.sendWhenFinal("A-6").disposition());
        var dueAt = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MICROS);
        var moved = invoices.sendAt(dueAt, "A-6");
        assertEquals(Disposition.REPLACED, moved.disposition());
        assertEquals(
                dueAt, ledger.client().jobs().get(Scope.global(), moved.id()).nextRunAt());
    }
}
