package io.runledger.samples;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.model.job.JobType;
import io.runledger.model.schedule.PollResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A function that is polled and starts a job for each finding; {@code InboxTrigger.kt} in Java. */
public final class InboxTriggerInJava {
    public record NewFile(String path) {}

    public static final JobType<NewFile> IMPORT = JobType.of("inbox.import", NewFile.class);

    private InboxTriggerInJava() {}

    public static RunledgerWorker.Builder watching(RunledgerWorker.Builder worker, Path inbox) {
        return worker.trigger("new-files", Duration.ofSeconds(10), poll -> newFiles(inbox));
    }

    private static PollResult newFiles(Path inbox) throws IOException {
        try (var files = Files.list(inbox)) {
            return PollResult.all(files.sorted()
                    .map(file -> PollResult.fire(file.getFileName().toString(), IMPORT, new NewFile(file.toString())))
                    .toList());
        }
    }
}
