package io.runledger.model.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.failure.JobFailure;
import io.runledger.model.job.JobStage;
import io.runledger.model.json.Json;
import io.runledger.model.json.Payload;
import io.runledger.model.workflow.Input;
import java.io.IOException;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Usage of handlers from Java. */
class HandlerTest {
    record Page(String site, int number) {}

    @Test
    void aBlockingHandlerMayThrowAnything() {
        JobHandler<Page> handler = job -> {
            throw new IOException("no route to " + job.payload().site());
        };

        IOException thrown =
                assertThrows(IOException.class, () -> handler.handle(new Desk(new Page("example.org", 1))));
        assertEquals(
                "java.io.IOException: no route to example.org",
                JobFailure.of(thrown).message());
    }

    @Test
    void aBlockingHandlerTalksToTheLedgerAndContinues() throws Exception {
        JobHandler<Page> handler = job -> {
            int done = job.checkpoint(Integer.class).orElse(0);
            job.stage(JobStage.RUNNING);
            job.progress(done + 1, 10);
            job.saveCheckpoint(done + 1);
            job.log(LogLevel.INFO, "page " + job.payload().number() + " of attempt " + job.attempt());
            Page next = new Page(job.payload().site(), job.payload().number() + 1);
            return JobOutcome.continueAfter(Duration.ofSeconds(2), next).withCheckpoint(done + 1);
        };
        Desk desk = new Desk(new Page("example.org", 7));

        JobOutcome outcome = handler.handle(desk);

        assertEquals(JobOutcome.Kind.CONTINUE, outcome.kind());
        assertEquals(
                new JobOutcome.Continue(Payload.of(new Page("example.org", 8)), Payload.of(1), Duration.ofSeconds(2)),
                outcome);
        assertEquals(
                List.of("stage running", "progress 1/10", "checkpoint 1", "INFO page 7 of attempt 1"), desk.written);
    }

    @Test
    void anAsyncHandlerReturnsAStage() throws Exception {
        AsyncJobHandler<Page> handler = job ->
                CompletableFuture.completedFuture(job.payload()).thenApply(page -> JobOutcome.succeeded(page.site()));

        JobOutcome outcome = handler.handle(new Desk(new Page("example.org", 1)))
                .toCompletableFuture()
                .join();

        assertEquals(JobOutcome.succeeded("example.org"), outcome);
    }

    @Test
    @SuppressWarnings("try") // The hook is only closed.
    void longWorkStopsWhenItIsNoLongerWanted() throws Exception {
        AtomicBoolean socketClosed = new AtomicBoolean();
        JobHandler<Page> handler = job -> {
            try (Cancellation.Hook hook = job.cancellation().onRequest(reason -> socketClosed.set(true))) {
                return job.isCancelled() ? JobOutcome.canceled("asked to stop") : JobOutcome.succeeded();
            }
        };
        Desk desk = new Desk(new Page("example.org", 1));
        desk.stop = Optional.of(Cancellation.Reason.SHUTDOWN);

        assertEquals(JobOutcome.canceled("asked to stop"), handler.handle(desk));
        assertEquals(true, socketClosed.get());
    }

    @Test
    void endingsReadAsSentences() {
        assertEquals(
                JobOutcome.Kind.SUCCEEDED,
                JobOutcome.succeeded(new Page("example.org", 1)).kind());
        assertEquals(
                JobOutcome.Kind.SUCCEEDED,
                JobOutcome.succeeded(Json.of("{\"pages\":3}")).kind());
        assertEquals(
                JobOutcome.Kind.FAILED,
                JobOutcome.failed("site.empty", "no page answered").kind());
        assertEquals(
                JobOutcome.Kind.RETRY,
                JobOutcome.retry("site.slow", "no answer").kind());
        assertEquals(
                JobOutcome.Kind.RETRY,
                JobOutcome.retryAt(Instant.parse("2030-01-01T00:00:00Z"), "site.closed", "back next year")
                        .withDetails(Json.of("{\"status\":503}"))
                        .kind());
        assertEquals(
                JobOutcome.Kind.SNOOZE, JobOutcome.snooze(Duration.ofMinutes(5)).kind());
    }

    /** A context that records its calls. */
    private static final class Desk implements JobContext<Page> {
        final List<String> written = new ArrayList<>();
        Optional<Cancellation.Reason> stop = Optional.empty();
        private final Page page;

        Desk(Page page) {
            this.page = page;
        }

        @Override
        public void settleIn(Connection connection) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void settleIn(Connection connection, @Nullable Object output) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public UUID jobId() {
            return new UUID(0, 1);
        }

        @Override
        public String jobType() {
            return "site.crawl";
        }

        @Override
        public UUID organizationId() {
            return null;
        }

        @Override
        public int runNumber() {
            return 1;
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public int maxAttempts() {
            return 3;
        }

        @Override
        public String workerId() {
            return "desk";
        }

        @Override
        public Instant claimedAt() {
            return Instant.EPOCH;
        }

        @Override
        public Instant startedAt() {
            return Instant.EPOCH;
        }

        @Override
        public Page payload() {
            return page;
        }

        @Override
        public <T> Optional<T> checkpoint(Type type) {
            return Optional.empty();
        }

        @Override
        public void progress(long done, long total) {
            written.add("progress " + done + "/" + total);
        }

        @Override
        public void stage(JobStage stage) {
            written.add("stage " + stage.wire());
        }

        @Override
        public void saveCheckpoint(Object checkpoint) {
            written.add("checkpoint " + checkpoint);
        }

        @Override
        public void log(LogLevel level, String message) {
            written.add(level.wire() + " " + message);
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Cancellation cancellation() {
            return new Cancellation() {
                @Override
                public Optional<Reason> reason() {
                    return stop;
                }

                @Override
                public Hook onRequest(Consumer<? super Reason> action) {
                    stop.ifPresent(action);
                    return () -> {};
                }
            };
        }

        @Override
        public <T> T input(Input<T> input) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> List<T> inputs(Input<T> input) {
            return List.of();
        }

        @Override
        public <T> Optional<T> output(String stepKey, Type type) {
            return Optional.empty();
        }

        @Override
        public <T> Optional<T> runContext(String name, Type type) {
            return Optional.empty();
        }
    }
}
