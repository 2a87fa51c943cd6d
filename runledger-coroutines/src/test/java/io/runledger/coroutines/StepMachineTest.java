package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.exposed.catalog.MigrationBundle;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.job.JobType;
import io.runledger.model.job.KeptState;
import io.runledger.model.job.RequeueRequest;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.retry.StepRetries;
import io.runledger.postgres.DatabaseTemplate;
import io.runledger.postgres.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a machine is declared in Java. */
class StepMachineTest {
    sealed interface Parcel {
        record Packed(String address) implements Parcel {}

        record OnItsWay(String address, int tries) implements Parcel {}
    }

    static final JobType<Parcel> PARCEL = JobType.of("parcel", Parcel.class);

    @Test
    void blockingAndAsyncFunctionsMakeAMachine() {
        var machine = StepMachine.builder(PARCEL)
                .on(
                        Parcel.Packed.class,
                        job -> job.goTo(new Parcel.OnItsWay(job.step().address(), 0), Duration.ofHours(4)))
                .onAsync(
                        Parcel.OnItsWay.class,
                        StepRetries.atMost(3, RetryPolicy.fixed(Duration.ofMinutes(1))),
                        job -> CompletableFuture.completedFuture(
                                job.done("arrived at " + job.step().address())))
                .build();

        assertEquals(
                List.of(PARCEL), Handlers.builder().machine(machine).build().jobTypes());
    }

    @Test
    @SuppressWarnings("try") // The worker is only closed.
    void aMachineOfBlockingAndAsyncFunctionsIsParkedMendedAndGoesToItsEnd() throws Exception {
        var letters = new CompletableFuture<UUID>();
        var ended = new CompletableFuture<UUID>();
        var machine = StepMachine.builder(PARCEL)
                .onAsync(
                        Parcel.Packed.class,
                        job -> CompletableFuture.supplyAsync(
                                () -> job.goTo(new Parcel.OnItsWay(job.step().address(), 1))))
                .on(Parcel.OnItsWay.class, StepRetries.atMost(1), job -> {
                    if (job.step().address().isBlank()) throw new IOException("no such place");
                    return job.done(job.step()).contributing("unused", true);
                })
                .build();
        var observer = new WorkerObserver() {
            @Override
            public void deadLettered(ObservedJob job, JobFailure failure, DeadLetterReason reason) {
                letters.complete(job.jobId());
            }

            @Override
            public void succeeded(ObservedJob job, Duration elapsed) {
                if (job.runNumber() == 3) ended.complete(job.jobId());
            }
        };
        try (var database = TestPostgres.shared()
                .freshDatabase(new DatabaseTemplate(
                        "coroutines " + MigrationBundle.fingerprint(),
                        fresh -> RunledgerClient.create(fresh.dataSource()).migrate()))) {
            var client = RunledgerClient.create(database.dataSource());
            client.definitions().declare(PARCEL);
            var id = client.jobs().enqueue(PARCEL, new Parcel.Packed(" ")).id();

            try (var worker = RunledgerWorker.builder(client)
                    .handlers(Handlers.builder().machine(machine).build())
                    .observe(observer)
                    .start()) {
                assertEquals(id, letters.get(60, TimeUnit.SECONDS));
                var mended = client.jobs()
                        .editPayload(
                                Scope.global(),
                                id,
                                PARCEL,
                                new Parcel.OnItsWay("Ghent", 2),
                                "The address was missing.");
                client.jobs()
                        .requeue(
                                Scope.global(),
                                RequeueRequest.of(mended, KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT, "mended"));
                assertEquals(id, ended.get(60, TimeUnit.SECONDS));
            }

            assertEquals(
                    List.of("Packed -> OnItsWay"),
                    client.jobs().path(Scope.global(), id).stream()
                            .map(Object::toString)
                            .toList());
            assertEquals(
                    Json.of("{\"tries\": 2, \"address\": \"Ghent\"}"),
                    client.jobs().get(Scope.global(), id).output());
        }
    }

    @Test
    void aMachineIsDeclaredAmongTheHandlers() {
        var handlers = Handlers.builder()
                .machine(
                        PARCEL,
                        machine -> machine.on(
                                        Parcel.Packed.class,
                                        RetryPolicy.fixed(Duration.ofMinutes(1)).atMost(3),
                                        job -> job.goTo(
                                                new Parcel.OnItsWay(job.step().address(), 0)))
                                .on(Parcel.OnItsWay.class, job -> job.done()))
                .build();

        assertEquals(List.of(PARCEL), handlers.jobTypes());
        assertThrows(
                IllegalArgumentException.class,
                () -> Handlers.builder()
                        .machine(PARCEL, machine -> machine.on(Parcel.Packed.class, job -> job.done())));
    }

    @Test
    void everyStepNeedsAFunction() {
        var builder = StepMachine.builder(PARCEL).on(Parcel.Packed.class, job -> job.done());

        assertThrows(IllegalArgumentException.class, builder::build);
    }
}
