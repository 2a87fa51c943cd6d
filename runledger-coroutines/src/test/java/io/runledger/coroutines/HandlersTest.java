package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.handler.BatchJobHandler;
import io.runledger.model.handler.BatchOutcome;
import io.runledger.model.handler.JobContext;
import io.runledger.model.handler.JobHandler;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How handlers are registered in Java. */
class HandlersTest {
    record Mail(String to) {}

    static final JobType<Mail> SEND = JobType.of("mail.send", Mail.class);
    static final JobType<Mail> RETRACT = JobType.of("mail.retract", Mail.class);
    static final JobType<Mail> ARCHIVE = JobType.of("mail.archive", Mail.class);

    static final class ArchiveMail implements JobHandler<Mail> {
        @Override
        public JobOutcome handle(JobContext<Mail> job) {
            return JobOutcome.failed(
                    "mail.gone", "Nothing to archive for " + job.payload().to());
        }
    }

    static final class ArchiveAll implements BatchJobHandler<Mail> {
        @Override
        public BatchOutcome handle(List<JobContext<Mail>> jobs) {
            Map<JobContext<Mail>, JobOutcome> failures = new HashMap<>();
            for (var job : jobs) {
                if (job.payload().to().isEmpty()) {
                    failures.put(job, JobOutcome.failed("mail.no_address", "The mail has no address."));
                }
            }
            return BatchOutcome.succeeded().except(failures);
        }
    }

    @Test
    void lambdasStagesAndClassesAreHandlers() {
        Handlers handlers = Handlers.builder()
                .blocking(
                        SEND,
                        job -> JobOutcome.succeeded("sent to " + job.payload().to()))
                .async(RETRACT, job -> CompletableFuture.supplyAsync(() -> JobOutcome.canceled("too late")))
                .blocking(ARCHIVE, new ArchiveMail())
                .build();

        assertEquals(List.of(SEND, RETRACT, ARCHIVE), handlers.jobTypes());
        assertEquals(
                handlers.jobTypes(),
                Handlers.builder().include(handlers).build().jobTypes());
    }

    @Test
    void batchHandlersTakeManyJobsInOneCall() {
        Handlers handlers = Handlers.builder()
                .blockingBatch(SEND, 100, jobs -> BatchOutcome.succeeded())
                .asyncBatch(
                        RETRACT,
                        50,
                        jobs -> CompletableFuture.supplyAsync(() -> BatchOutcome.of(
                                jobs, job -> JobOutcome.succeeded(job.payload().to()))))
                .blockingBatch(ARCHIVE, 1_000, new ArchiveAll())
                .build();

        assertEquals(List.of(SEND, RETRACT, ARCHIVE), handlers.jobTypes());
        assertEquals(
                handlers.jobTypes(),
                Handlers.builder().include(handlers).build().jobTypes());
        assertThrows(
                IllegalArgumentException.class,
                () -> Handlers.builder().blockingBatch(SEND, 0, jobs -> BatchOutcome.succeeded()));
    }

    @Test
    void aTypeChoosesHowLongAHandlerThatIgnoresItsTimeoutKeepsItsJob() {
        Handlers handlers = Handlers.builder()
                .blocking(SEND, job -> JobOutcome.succeeded())
                .blocking(ARCHIVE, new ArchiveMail())
                .overtime(Duration.ofMinutes(2))
                .overtime(ARCHIVE, Duration.ofHours(1))
                .overtime(RETRACT, Duration.ZERO)
                .build();

        assertEquals(List.of(SEND, ARCHIVE), handlers.jobTypes());
        assertThrows(IllegalArgumentException.class, () -> Handlers.builder().overtime(Duration.ofSeconds(-1)));
    }
}
