package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.SharedWorker;
import io.runledger.exposed.Ledgers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.exposed.lifecycle.Destroying;
import io.runledger.model.error.RunledgerException;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/** Every customer has a ledger in a separate schema; {@code Tenants.kt} in Java. */
public final class TenantsInJava implements AutoCloseable {
    public record Newsletter(String subject, List<String> readers) {}

    public record Letter(String subject, String reader) {}

    public static final JobType<Newsletter> SEND_NEWSLETTER = JobType.of("newsletter.send", Newsletter.class);
    public static final JobType<Letter> SEND_LETTER = JobType.of("letter.send", Letter.class);

    private final BiConsumer<String, Letter> post;
    private final Ledgers ledgers;
    private final SharedWorker worker;

    public TenantsInJava(DataSource dataSource, BiConsumer<String, Letter> post) {
        this.post = post;
        this.ledgers = Ledgers.of(dataSource);
        this.worker = SharedWorker.start(
                32, (worker, ledger) -> worker.handlers(sending(ledger)).config(config -> config.maxConcurrency(24)));
    }

    /**
     * When the process starts: migrates the ledgers of all customers and serves them. If the ledger of one customer is newer
     * than this build or was altered, the others are still served. Returns the customers that are not served, with the reason.
     */
    public Map<String, String> open() {
        var refused = new TreeMap<String, String>();
        for (var ledger : ledgers.list()) {
            switch (ledger.state()) {
                case CURRENT, OUTDATED -> {
                    try {
                        welcome(ledger.schema());
                    } catch (RunledgerException refusal) {
                        refused.put(ledger.schema(), refusal.getMessage());
                    }
                }
                case TOO_NEW, ALTERED, UNREADABLE -> refused.put(ledger.schema(), "the ledger is " + ledger.state());
            }
        }
        return refused;
    }

    /** May be repeated, and called by several processes at once. */
    public void welcome(String tenant) {
        ledgers.create(tenant);
        var ledger = ledgers.client(tenant);
        ledger.definitions().sync(List.of(SEND_NEWSLETTER, SEND_LETTER));
        worker.serve(ledger);
    }

    public UUID publish(String tenant, Newsletter newsletter) {
        return ledgers.client(tenant)
                .jobs()
                .enqueue(SEND_NEWSLETTER, newsletter)
                .id();
    }

    /** Waits for the running jobs. Waiting jobs are dropped with the ledger. */
    public long farewell(String tenant) {
        worker.leave(tenant).join();
        return ledgers.drop(tenant, Destroying.UNFINISHED_JOBS).unfinishedJobs();
    }

    /** Created for each ledger, so that a handler knows its customer and can enqueue jobs in the same ledger. */
    private Handlers sending(RunledgerClient ledger) {
        return Handlers.builder()
                .blocking(SEND_NEWSLETTER, job -> {
                    var subject = job.payload().subject();
                    ledger.jobs()
                            .enqueueAll(job.payload().readers().stream()
                                    .map(reader -> JobRequest.builder(SEND_LETTER, new Letter(subject, reader))
                                            .idempotencyKey(job.jobId() + "/" + reader)
                                            .build())
                                    .toList());
                    return JobOutcome.succeeded();
                })
                .blocking(SEND_LETTER, job -> {
                    post.accept(ledger.schema(), job.payload());
                    return JobOutcome.succeeded();
                })
                .build();
    }

    @Override
    public void close() {
        worker.close();
    }
}
