package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.workflow.WorkflowRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** A complete service in Java: types, handlers, a worker, a workflow in a JDBC transaction, a gate, a result, the history. */
public final class PhotoStudio {
    public record Photo(String name) {}

    static final JobType<Photo> RETOUCH = JobType.of("photos.retouch", Photo.class);
    static final JobType<Photo> PUBLISH = JobType.of("photos.publish", Photo.class);

    private final DataSource dataSource;
    private final RunledgerClient client;

    public PhotoStudio(DataSource dataSource) {
        this.dataSource = dataSource;
        this.client = RunledgerClient.create(dataSource);
    }

    /** Migrates the ledger, declares the job types and runs a worker until it is closed. */
    public RunningWorker open() {
        var handlers = Handlers.builder()
                .blocking(RETOUCH, job -> JobOutcome.succeeded(job.payload().name() + ", retouched"))
                .async(
                        PUBLISH,
                        job -> CompletableFuture.supplyAsync(() -> job.output("retouch", String.class))
                                .thenApply(photo -> JobOutcome.succeeded("published: " + photo.orElseThrow())))
                .build();
        client.migrate();
        client.definitions().sync(handlers.jobTypes());
        return RunledgerWorker.builder(client).handlers(handlers).start();
    }

    /** Stores the photo and starts its workflow in one transaction. */
    public UUID take(Photo photo) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement("INSERT INTO photos (name) VALUES (?)")) {
                insert.setString(1, photo.name());
                insert.executeUpdate();
            }
            var run = client.within(connection).workflows().enqueue(exhibition(photo));
            connection.commit();
            return run.runId();
        }
    }

    static WorkflowRequest exhibition(Photo photo) {
        var workflow = WorkflowRequest.builder("photos.exhibit");
        var retouched = workflow.job("retouch", RETOUCH, photo);
        var consent = workflow.externalGate("consent");
        var published = workflow.job("publish", job -> job.runs(PUBLISH, photo).after(retouched, consent));
        return workflow.result(published).build();
    }

    /** Completes the gate with an external decision. A repeated call changes nothing. */
    public void consent(UUID run) {
        client.workflows().completeGate(Scope.global(), run, "consent");
    }

    public CompletableFuture<String> published(UUID run) {
        return client.workflows().awaitResult(Scope.global(), run, String.class);
    }

    /** The events of the run, in order. */
    public List<String> story(UUID run) {
        return client.workflows().story(Scope.global(), run).events().stream()
                .map(event -> event.stepKey() + " " + event.type())
                .toList();
    }
}
