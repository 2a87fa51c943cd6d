package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.model.handler.BatchOutcome;
import io.runledger.model.handler.JobContext;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import java.util.List;
import java.util.Set;

/** One call of a handler for all jobs that are ready together; {@code SearchIndex.kt} in Java. */
public final class SearchIndexInJava {
    public record Page(String url, String text) {}

    public static final JobType<Page> INDEX = JobType.of("page.index", Page.class);

    private SearchIndexInJava() {}

    /** Takes many pages in one request. */
    public interface SearchEngine {
        /** Returns the addresses of the pages that it refuses. */
        Set<String> addAll(List<Page> pages) throws Exception;
    }

    public static Handlers handlers(SearchEngine engine) {
        return Handlers.builder()
                .blockingBatch(INDEX, 200, jobs -> {
                    var refused =
                            engine.addAll(jobs.stream().map(JobContext::payload).toList());
                    return BatchOutcome.of(
                            jobs,
                            job -> refused.contains(job.payload().url())
                                    ? JobOutcome.failed("page.refused", "The engine refuses it.")
                                    : JobOutcome.succeeded());
                })
                .build();
    }
}
