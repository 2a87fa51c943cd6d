package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.Ledger;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Limits, an order, shares and a queue for calls of another company's service; {@code CrmPush.kt} in Java. */
public final class CrmPushInJava {
    public record CustomerChange(String customer, int number) {}

    /** The service of another company. It allows few calls, and must hear of the changes of a customer in their order. */
    public interface Crm {
        void push(CustomerChange change) throws Exception;
    }

    public static final JobType<CustomerChange> PUSH = JobType.builder("crm.push", CustomerChange.class)
            // In the whole fleet: four calls at once, and 200 a second.
            .limit("crm-api", limit -> limit.permits(4).rate(200, Duration.ofSeconds(1)))
            // Of these, two for each customer, also from other job types that name this limit.
            .limit("crm-customer", limit -> limit.permits(2).by(CustomerChange::customer))
            // The changes of a customer one after another, in the order of their commits.
            .orderedBy(CustomerChange::customer)
            // A tenant with a million changes does not hold up the others.
            .fairByOrganization()
            // What operators pause and resume.
            .queue("crm")
            .build();

    private CrmPushInJava() {}

    public static Handlers handlers(Crm crm) {
        return Handlers.builder()
                .blocking(PUSH, job -> {
                    crm.push(job.payload());
                    return JobOutcome.succeeded();
                })
                .build();
    }

    public static void push(RunledgerClient client, UUID tenant, List<CustomerChange> changes) {
        client.jobs()
                .enqueueAll(changes.stream()
                        .map(change -> JobRequest.builder(PUSH, change)
                                .organization(tenant)
                                .build())
                        .toList());
    }

    /** A change that a person waits for. It overtakes the others of its customer, and a pause of their queue does not stop it. */
    public static UUID pushAtOnce(RunledgerClient client, UUID tenant, CustomerChange change) {
        var request = JobRequest.builder(PUSH, change)
                .organization(tenant)
                .unordered()
                .queue("urgent")
                .build();
        return client.jobs().enqueue(request).id();
    }

    /** A worker for the changes that people wait for. Without {@code queues}, a worker serves all of them. */
    public static RunningWorker urgentWorker(RunledgerClient client, Crm crm) {
        return RunledgerWorker.builder(client)
                .handlers(handlers(crm))
                .config(config -> config.queues("urgent", "default"))
                .start();
    }

    /** What an operator does during an incident, here in code: stop the calls, then begin again with one at a time. */
    public static final class Incident {
        private final Ledger ledger;

        public Incident(RunledgerClient client, String operator) {
            this.ledger = client.actingAs(operator);
        }

        public void begins() {
            ledger.queues().pause("crm", "The CRM answers with errors.");
        }

        public void ends() {
            ledger.limits().changePermits("crm-api", 1, "The CRM is up again: carefully.");
            ledger.queues().resume("crm", "The CRM is up again.");
        }

        public void isForgotten() {
            ledger.limits().reset("crm-api", "The CRM is well.");
        }
    }
}
