package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.exposed.catalog.MigrationBundle;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.workflow.Input;
import io.runledger.model.workflow.JobRef;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.postgres.DatabaseTemplate;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How data between steps reads to a Java handler. */
class InputsTest {
    record Receipt(String order, long cents) {}

    record Parcel(String item) {}

    record Label(Receipt receipt, List<Parcel> parcels) {}

    static final Input<Receipt> RECEIPT = Input.of("receipt", Receipt.class);
    static final Input<Parcel> PARCEL = Input.of("parcel", Parcel.class);

    static final JobType<String> CHARGE = JobType.of("charge", String.class);
    static final JobType<String> PICK = JobType.of("pick", String.class);
    static final JobType<String> SHIP = JobType.of("ship", String.class);

    static final Handlers HANDLERS = Handlers.builder()
            .blocking(CHARGE, job -> JobOutcome.succeeded(new Receipt(job.payload(), 4990)))
            .async(PICK, job -> CompletableFuture.completedFuture(JobOutcome.succeeded(new Parcel(job.payload()))))
            .blocking(SHIP, job -> JobOutcome.succeeded(new Label(job.input(RECEIPT), job.inputs(PARCEL))))
            .build();

    static WorkflowRequest order(String number, List<String> items) {
        var order = WorkflowRequest.builder("order");
        var charged = order.job("charge", CHARGE, number);
        List<JobRef> picked = items.stream()
                .map(item -> order.job("pick-" + item, PICK, item))
                .toList();
        var shipped = order.job(
                "ship", job -> job.runs(SHIP, number).uses(charged, RECEIPT).uses(picked, PARCEL));
        return order.result(shipped).build();
    }

    @Test
    @SuppressWarnings("try") // The worker is only closed.
    void aHandlerGetsWhatTheStepsBeforeItReturned() throws Exception {
        try (var database = TestPostgres.shared()
                .freshDatabase(new DatabaseTemplate(
                        "coroutines " + MigrationBundle.fingerprint(),
                        fresh -> RunledgerClient.create(fresh.dataSource()).migrate()))) {
            var client = RunledgerClient.create(database.dataSource());
            client.definitions().sync(List.of(CHARGE, PICK, SHIP));
            var run = client.workflows()
                    .enqueue(order("A-1", Stream.of("lamp", "bulb").toList()))
                    .runId();

            try (var worker = RunledgerWorker.builder(client).handlers(HANDLERS).start()) {
                var label = client.workflows()
                        .awaitResult(Scope.global(), run, Label.class)
                        .get(60, TimeUnit.SECONDS);

                assertEquals(
                        new Label(new Receipt("A-1", 4990), List.of(new Parcel("lamp"), new Parcel("bulb"))), label);
            }
        }
    }
}
