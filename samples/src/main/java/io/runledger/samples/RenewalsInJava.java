package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.EnqueuedJob;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.retry.RetryTerms;
import io.runledger.model.workflow.WorkflowRequest;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/** The renewals of {@code Renewals.kt} in Java. */
public final class RenewalsInJava {
    public static final JobType<Renewal> RENEW = JobType.builder("subscriptions.renew", Renewal.class)
            .maxAttempts(6)
            .retryPolicy(RetryPolicy.builder()
                    .exponential(Duration.ofSeconds(5), 2.0)
                    .cap(Duration.ofMinutes(10))
                    .jitter(0.2)
                    .retryOn("bank.busy", wait -> wait.linear(Duration.ofMinutes(1), Duration.ofMinutes(1)))
                    .giveUpOn("bank.refused")
                    .build())
            .build();

    private final RunledgerClient client;

    public RenewalsInJava(RunledgerClient client) {
        this.client = client;
    }

    public static Handlers handlers(Consumer<String> charge) {
        return Handlers.builder()
                .classify(RENEW, (thrown, failure) -> {
                    int status = thrown instanceof BankException refusal ? refusal.getStatus() : 0;
                    return switch (status) {
                        case 402 -> failure.withCode("bank.refused");
                        case 503 -> failure.withCode("bank.busy");
                        default -> failure;
                    };
                })
                .blocking(RENEW, job -> {
                    charge.accept(job.payload().getCustomer());
                    return JobOutcome.succeeded();
                })
                .build();
    }

    public EnqueuedJob renewNow(String customer) {
        return client.jobs()
                .enqueue(
                        RENEW,
                        new Renewal(customer),
                        job -> job.maxAttempts(3).retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1))));
    }

    public RetryTerms terms(UUID job) {
        return client.jobs().retryTerms(Scope.global(), job);
    }

    public static WorkflowRequest subscription(String customer) {
        var workflow = WorkflowRequest.builder("subscriptions.begin");
        workflow.job(
                "renew",
                job -> job.runs(RENEW, new Renewal(customer))
                        .retryPolicy(RetryPolicy.linear(Duration.ofSeconds(1), Duration.ofSeconds(1))));
        return workflow.build();
    }
}
