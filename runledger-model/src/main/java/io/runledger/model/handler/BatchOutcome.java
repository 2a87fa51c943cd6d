package io.runledger.model.handler;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the jobs of one call of a batch handler, by job, so that their order does not matter. Immutable.
 * Outcomes of jobs that do not belong to the call are ignored.
 */
public final class BatchOutcome {
    private static final BatchOutcome SUCCEEDED = new BatchOutcome(Map.of(), JobOutcome.succeeded());

    private final Map<UUID, JobOutcome> outcomes;
    private final @Nullable JobOutcome others;

    private BatchOutcome(Map<UUID, JobOutcome> outcomes, @Nullable JobOutcome others) {
        this.outcomes = outcomes;
        this.others = others;
    }

    /** All jobs succeed without an output. */
    public static BatchOutcome succeeded() {
        return SUCCEEDED;
    }

    /** All jobs have the same outcome. */
    public static BatchOutcome all(JobOutcome outcome) {
        return new BatchOutcome(Map.of(), Objects.requireNonNull(outcome, "outcome"));
    }

    /**
     * Each job has its own outcome.
     *
     * @param jobs the jobs of the call
     * @param outcomeOf returns the outcome of a job; called once for each, in order. A job for which it returns null
     *     has no outcome
     */
    public static <J extends JobContext<? extends @Nullable Object>> BatchOutcome of(
            Collection<? extends J> jobs, Function<? super J, ? extends @Nullable JobOutcome> outcomeOf) {
        Map<UUID, JobOutcome> outcomes = new HashMap<>(jobs.size() * 2);
        for (J job : jobs) {
            JobOutcome outcome = outcomeOf.apply(job);
            if (outcome != null) {
                outcomes.put(job.jobId(), outcome);
            }
        }
        return new BatchOutcome(outcomes, null);
    }

    /**
     * Each job has its own outcome.
     *
     * @param outcomes the outcomes by job; a job that is missing, or has null, has no outcome
     */
    public static BatchOutcome of(
            Map<? extends JobContext<? extends @Nullable Object>, ? extends @Nullable JobOutcome> outcomes) {
        Map<UUID, JobOutcome> byId = new HashMap<>(outcomes.size() * 2);
        outcomes.forEach((job, outcome) -> {
            if (outcome != null) {
                byId.put(job.jobId(), outcome);
            }
        });
        return new BatchOutcome(byId, null);
    }

    /**
     * Returns a copy in which these jobs have other outcomes, for example {@code succeeded().except(failures)}.
     *
     * @param outcomes the outcomes by job; a job that has null keeps its outcome
     */
    public BatchOutcome except(
            Map<? extends JobContext<? extends @Nullable Object>, ? extends @Nullable JobOutcome> outcomes) {
        Map<UUID, JobOutcome> byId = new HashMap<>(this.outcomes);
        byId.putAll(of(outcomes).outcomes);
        return new BatchOutcome(byId, others);
    }

    /** The outcome of a job, or empty if it has none. */
    public Optional<JobOutcome> find(UUID jobId) {
        JobOutcome own = outcomes.get(jobId);
        return Optional.ofNullable(own == null ? others : own);
    }
}
