package io.runledger.samples;

import static io.runledger.samples.RenewalsInJava.RENEW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.job.JobStatus;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.RetryTerms;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class RenewalsInJavaTest {
    @Test
    void aRefusedCardIsNotTriedAgain(TestLedger ledger) {
        ledger.client().definitions().declare(RENEW);
        var jobs = ledger.client().jobs();
        var job = jobs.enqueue(RENEW, new Renewal("ada")).id();

        ledger.work(RenewalsInJava.handlers(customer -> {
            throw new BankException(402);
        }));

        assertEquals(JobStatus.DEAD_LETTERED, jobs.get(Scope.global(), job).status());
        assertEquals("bank.refused", jobs.get(Scope.global(), job).lastErrorCode());
    }

    @Test
    void whoSaysHowAJobIsRetriedCanBeSeen(TestLedger ledger) {
        ledger.client().definitions().declare(RENEW);
        var renewals = new RenewalsInJava(ledger.client());
        var plain = ledger.client().jobs().enqueue(RENEW, new Renewal("ada")).id();
        var hurried = renewals.renewNow("ada").id();

        assertEquals(new RetryTerms(RENEW.settings().retryPolicy(), 6, RetryTerms.Source.TYPE), renewals.terms(plain));
        assertEquals(
                Duration.ofSeconds(1),
                renewals.terms(hurried).policy().backoff().curve().initial());
    }

    @Test
    void bothLanguagesSayTheSame() {
        assertEquals(RenewalsKt.subscription("ada"), RenewalsInJava.subscription("ada"));
        assertEquals(
                RenewalsKt.getRenew().settings().retryPolicy(), RENEW.settings().retryPolicy());
    }
}
