package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.EnqueuedJob;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.Backoff;
import io.runledger.model.retry.Jitter;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.retry.RetryRule;
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
                    .jitter(Jitter.ratio(0.2))
                    .rule(RetryRule.onCode("bank.busy")
                            .retry(Backoff.linear(Duration.ofMinutes(1), Duration.ofMinutes(1))))
                    .rule(RetryRule.onCode("bank.refused").giveUp())
                    .build())
            .build();

    private final RunledgerClient client;

    public RenewalsInJava(RunledgerClient client) {
        this.client = client;
    }

    public static Handlers handlers(Consumer<String> charge) {
        return Handlers.builder()
                .classify(RENEW, RenewalsInJava::classified)
                .blocking(RENEW, job -> {
                    charge.accept(job.payload().getCustomer());
                    return JobOutcome.succeeded();
                })
                .build();
    }

    private static JobFailure classified(Throwable thrown, JobFailure failure) {
        int status = thrown instanceof BankException refusal ? refusal.getStatus() : 0;
        return switch (status) {
            case 402 -> failure.withCode("bank.refused");
            case 503 -> failure.withCode("bank.busy");
            default -> failure;
        };
    }

    public EnqueuedJob renewNow(String customer) {
        return client.jobs()
                .enqueue(JobRequest.builder(RENEW, new Renewal(customer))
                        .maxAttempts(3)
                        .retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1)))
                        .build());
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
