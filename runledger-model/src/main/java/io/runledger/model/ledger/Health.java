package io.runledger.model.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The health of a ledger: backlog, expired leases, drained workers, limits that stop jobs, queues without workers and vacuum
 * problems.
 *
 * @param longestWait longest wait of a due job, without jobs of paused types and those with limits, an order, a share or a
 *     queue; null if no job is due
 * @param expiredLeases number of expired leases that were not reaped yet
 * @param longestExpiry time since the earliest of these expiries; null if there is none
 * @param standingDrains number of drain orders in effect
 * @param longestDrain age of the oldest of these orders; null if there is none
 * @param snapshotTransactions age of the oldest open snapshot in transactions; vacuum cannot remove rows that were
 *     replaced since
 * @param snapshotAge duration of the transaction that holds this snapshot, if known
 * @param tables tables that change with every job or step
 * @param stoppedLimits limits and paused queues that let no job begin now although due jobs wait, those with the longest
 *     wait first; at most {@value #MOST_NAMES}
 * @param unservedQueues named queues with due jobs of which a type has no live worker, those with the longest wait first; at
 *     most {@value #MOST_NAMES}
 */
public record Health(
        @Nullable Duration longestWait,
        long expiredLeases,
        @Nullable Duration longestExpiry,
        long standingDrains,
        @Nullable Duration longestDrain,
        long snapshotTransactions,
        @Nullable Duration snapshotAge,
        List<Table> tables,
        List<StoppedLimit> stoppedLimits,
        List<UnservedQueue> unservedQueues) {
    /** The most limits, and the most queues. */
    public static final int MOST_NAMES = 20;

    private static final Duration LONG_WAIT = Duration.ofMinutes(1);
    private static final Duration LONG_DRAIN = Duration.ofMinutes(10);
    private static final Duration LONG_SNAPSHOT = Duration.ofMinutes(10);
    private static final long MANY_DEAD_ROWS = 100_000;

    public Health {
        tables = List.copyOf(tables);
        stoppedLimits = List.copyOf(stoppedLimits);
        unservedQueues = List.copyOf(unservedQueues);
    }

    /**
     * A limit that lets no job begin now: all permits of it or of one of its keys are in use, or the rate is spent.
     *
     * @param name name of the limit or of the queue
     * @param isQueue whether it is what an operator has set for a queue
     * @param isPaused whether it has no permits at all
     * @param longestWait longest wait of a due job for it, among those that were looked at
     */
    public record StoppedLimit(String name, boolean isQueue, boolean isPaused, Duration longestWait) {
        private String concern() {
            String wait = rounded(longestWait).toString();
            if (isQueue) {
                return isPaused
                        ? "Queue '%s' is paused, and a job in it has been due for %s: resume the queue."
                                .formatted(name, wait)
                        : "A job has waited for %s, and queue '%s' allows no further one: raise its limit, or check the running jobs."
                                .formatted(wait, name);
            }
            return isPaused
                    ? "Limit '%s' has 0 permits, and a job has waited for it for %s: give it permits."
                            .formatted(name, wait)
                    : "A job has waited for limit '%s' for %s: raise its permits or its rate, or check the running jobs."
                            .formatted(name, wait);
        }
    }

    /**
     * A named queue that no live worker serves, at least for one of the types of its due jobs.
     *
     * @param longestWait longest wait of such a job, among those that were looked at
     */
    public record UnservedQueue(String name, Duration longestWait) {}

    /**
     * A table of the ledger.
     *
     * @param liveRows live rows, as estimated by the database
     * @param deadRows dead rows, as estimated by the database
     * @param vacuumedAt time of the last vacuum; null if there was none
     */
    public record Table(
            String name,
            long liveRows,
            long deadRows,
            @Nullable Instant vacuumedAt) {
        private boolean isBloated() {
            return deadRows > MANY_DEAD_ROWS && deadRows > liveRows;
        }
    }

    /** The problems that need the attention of an operator, each with the action to take; empty if there are none. */
    public List<String> concerns() {
        var concerns = new ArrayList<String>();
        if (longestWait != null && isLong(longestWait)) {
            concerns.add("A job has been due for %s: %s, or check the running ones."
                    .formatted(
                            rounded(longestWait),
                            standingDrains == 0
                                    ? "start more workers"
                                    : "resume the drained workers, start more workers"));
        }
        stoppedLimits.stream()
                .filter(limit -> isLong(limit.longestWait()))
                .forEach(limit -> concerns.add(limit.concern()));
        for (UnservedQueue queue : unservedQueues) {
            if (isLong(queue.longestWait())) {
                concerns.add(
                        "No live worker serves queue '%s', and a job in it has been due for %s: start a worker for it."
                                .formatted(queue.name(), rounded(queue.longestWait())));
            }
        }
        if (longestDrain != null && longestDrain.compareTo(LONG_DRAIN) > 0) {
            concerns.add(
                    "%d drain orders are in effect, the oldest for %s: lift unneeded orders (workers.standingOrders)."
                            .formatted(standingDrains, rounded(longestDrain)));
        }
        if (longestExpiry != null && longestExpiry.compareTo(LONG_WAIT) > 0) {
            concerns.add(
                    "%d leases have expired, the first %s ago, and were not reaped: run a worker with its reaper enabled."
                            .formatted(expiredLeases, rounded(longestExpiry)));
        }
        if (snapshotAge != null && snapshotAge.compareTo(LONG_SNAPSHOT) > 0) {
            concerns.add(
                    "A transaction has been open for %s and prevents vacuum: end it (pg_stat_activity, oldest backend_xmin)."
                            .formatted(rounded(snapshotAge)));
        }
        for (Table table : tables) {
            if (table.isBloated()) {
                concerns.add(
                        "%s has %d dead rows and %d live rows: check that autovacuum runs and that no old transaction blocks it."
                                .formatted(table.name(), table.deadRows(), table.liveRows()));
            }
        }
        return List.copyOf(concerns);
    }

    private static boolean isLong(Duration wait) {
        return wait.compareTo(LONG_WAIT) > 0;
    }

    private static Duration rounded(Duration duration) {
        return Duration.ofSeconds(duration.toSeconds());
    }
}
