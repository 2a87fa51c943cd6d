package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.EnqueuedJob;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.key.ReplacedPart;
import io.runledger.model.key.Uniqueness;
import io.runledger.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The invoices of {@code Invoices.kt} in Java. */
public final class InvoicesInJava {
    public static final JobType<SendInvoice> SEND_INVOICE = JobType.builder("invoices.send", SendInvoice.class)
            .maxAttempts(6)
            .timeout(Duration.ofMinutes(2))
            .retryPolicy(RetryPolicy.builder()
                    .exponential(Duration.ofSeconds(5), 2.0)
                    .cap(Duration.ofMinutes(10))
                    .jitter(0.2)
                    .retryOn("mail.greylisted", wait -> wait.fixed(Duration.ofMinutes(15)))
                    .giveUpOn(IllegalArgumentException.class)
                    .build())
            .build();

    private final RunledgerClient client;

    public InvoicesInJava(RunledgerClient client) {
        this.client = client;
    }

    public EnqueuedJob send(String invoice) {
        return client.jobs().enqueue(SEND_INVOICE, new SendInvoice(invoice));
    }

    public EnqueuedJob remind(String invoice, Instant dueAt) {
        return client.jobs()
                .enqueue(
                        SEND_INVOICE,
                        new SendInvoice(invoice),
                        job -> job.idempotencyKey("remind/" + invoice)
                                .runAt(dueAt)
                                .priority(50));
    }

    public List<EnqueuedJob> sendAll(List<String> invoices) {
        return client.jobs()
                .enqueueAll(invoices.stream()
                        .map(invoice -> JobRequest.of(SEND_INVOICE, new SendInvoice(invoice)))
                        .toList());
    }

    public EnqueuedJob sendOnce(String invoice) {
        return client.jobs()
                .enqueue(
                        SEND_INVOICE, new SendInvoice(invoice), job -> job.unique(Uniqueness.whileUnfinished(invoice)));
    }

    public EnqueuedJob sendAtMostHourly(String invoice) {
        return client.jobs()
                .enqueue(SEND_INVOICE, new SendInvoice(invoice), job -> job.throttle(invoice, Duration.ofHours(1)));
    }

    public EnqueuedJob sendWhenFinal(String invoice) {
        return client.jobs()
                .enqueue(
                        SEND_INVOICE,
                        new SendInvoice(invoice),
                        job -> job.debounce(invoice, Duration.ofMinutes(1), Duration.ofMinutes(10)));
    }

    public EnqueuedJob sendAt(Instant dueAt, String invoice) {
        return client.jobs()
                .enqueue(
                        SEND_INVOICE,
                        new SendInvoice(invoice),
                        job -> job.replacePending(invoice, ReplacedPart.TIME).runAt(dueAt));
    }

    public EnqueuedJob sendIn(String locale, String invoice) {
        return client.jobs().enqueue(SEND_INVOICE, new SendInvoice(invoice), job -> job.header("locale", locale));
    }

    /** Everything that this client enqueues carries the id of the current request. */
    public static RunledgerClient correlatedClient(DataSource dataSource, Supplier<Optional<String>> requestId) {
        return RunledgerClient.builder(dataSource)
                .headers(target ->
                        requestId.get().map(id -> Map.of("correlation", id)).orElse(Map.of()))
                .build();
    }
}
