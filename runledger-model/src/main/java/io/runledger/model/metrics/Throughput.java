package io.runledger.model.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The attempts that ended in a time window, per bucket of time. Attempts that were interrupted or canceled are not
 * counted.
 *
 * @param from start of the window that was read
 * @param until end of the window that was read, by the database's clock
 * @param bucket length of a bucket: the window divided by the number of buckets
 * @param points the buckets, the oldest first: as many as requested, or 60 if the window is shorter than requested;
 *     empty if even the shortest window has too many attempts to read
 * @param isCut whether the window is shorter than the requested one, because that has too many attempts to read
 */
public record Throughput(Instant from, Instant until, Duration bucket, List<Point> points, boolean isCut) {
    public Throughput {
        points = List.copyOf(points);
    }

    /**
     * The attempts that ended in a bucket.
     *
     * @param at start of the bucket
     * @param succeeded attempts that succeeded, including those that continue their job in another run
     * @param failed attempts that failed and are retried
     * @param deadLettered attempts that failed and made their job a dead letter
     */
    public record Point(Instant at, long succeeded, long failed, long deadLettered) {}
}
