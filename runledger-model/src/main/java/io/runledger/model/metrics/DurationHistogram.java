package io.runledger.model.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long attempts of a job type took, from the start of the handler to its end. The attempts are those of the jobs
 * that ended last. Interrupted attempts are not counted.
 *
 * @param attempts number of attempts counted
 * @param since end of the oldest of these attempts; null if there is none
 * @param p50 median; null if there is no attempt
 * @param p95 95th percentile; null if there is no attempt
 * @param p99 99th percentile; null if there is no attempt
 * @param max longest duration; null if there is no attempt
 * @param buckets one bucket for each of {@link #BOUNDS}, the shortest first; empty if there is no attempt
 */
public record DurationHistogram(
        String jobType,
        long attempts,
        @Nullable Instant since,
        @Nullable Duration p50,
        @Nullable Duration p95,
        @Nullable Duration p99,
        @Nullable Duration max,
        List<Bucket> buckets) {
    /** The bounds of the buckets, from a millisecond to a day, each about twice the one before. */
    public static final List<Duration> BOUNDS = Stream.of(
                    Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500).map(Duration::ofMillis),
                    Stream.of(1, 2, 5, 10, 30).map(Duration::ofSeconds),
                    Stream.of(1, 2, 5, 10, 30).map(Duration::ofMinutes),
                    Stream.of(1, 2, 6, 12, 24).map(Duration::ofHours))
            .flatMap(bounds -> bounds)
            .toList();

    public DurationHistogram {
        buckets = List.copyOf(buckets);
    }

    /**
     * Attempts of similar duration.
     *
     * @param upTo every attempt in the bucket was shorter, and none was shorter than the bound before. The last bucket
     *     also counts longer attempts
     */
    public record Bucket(Duration upTo, long count) {}
}
