package io.runledger.model.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a ledger fares: what waits too long, who died, who is held back, and what keeps the database from cleaning up.
 *
 * @param longestWait how long the job that has been due longest waits already; null when none is due. Jobs of paused types do not count
 * @param expiredLeases leases that ran out and that no reaper has taken up yet
 * @param longestExpiry how long ago the first of them ran out; null when there is none
 * @param standingDrains orders that tell workers to claim nothing and stand now
 * @param longestDrain how long the first of them has stood; null when there is none
 * @param snapshotTransactions how many transactions old the oldest snapshot is that anybody keeps open: the database cannot remove what
 *     has been replaced since
 * @param snapshotAge how long the transaction that keeps it has been open, if known
 * @param tables the tables that change with every job or step
 */
public record Health(
        @Nullable Duration longestWait,
        long expiredLeases,
        @Nullable Duration longestExpiry,
        long standingDrains,
        @Nullable Duration longestDrain,
        long snapshotTransactions,
        @Nullable Duration snapshotAge,
        List<Table> tables) {
    private static final Duration LONG_WAIT = Duration.ofMinutes(1);
    private static final Duration LONG_DRAIN = Duration.ofMinutes(10);
    private static final Duration LONG_SNAPSHOT = Duration.ofMinutes(10);
    private static final long MANY_DEAD_ROWS = 100_000;

    /**
     * Keeps a copy of the tables.
     *
     * @param longestWait see the record
     * @param expiredLeases see the record
     * @param longestExpiry see the record
     * @param standingDrains see the record
     * @param longestDrain see the record
     * @param snapshotTransactions see the record
     * @param snapshotAge see the record
     * @param tables see the record
     */
    public Health {
        tables = List.copyOf(tables);
    }

    /**
     * One of the ledger's tables.
     *
     * @param name its name
     * @param liveRows rows that count, as the database estimates them
     * @param deadRows old versions of rows that wait to be removed, as the database estimates them
     * @param vacuumedAt when it was last cleaned up; null if never
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

    /**
     * What an operator should look at.
     *
     * @return each in a sentence that says what to do; empty when all is well
     */
    public List<String> concerns() {
        var concerns = new ArrayList<String>();
        if (longestWait != null && longestWait.compareTo(LONG_WAIT) > 0) {
            concerns.add("A job has been due for %s: %s, or look at those that run."
                    .formatted(
                            rounded(longestWait),
                            standingDrains == 0
                                    ? "start more workers"
                                    : "resume the workers that are told to drain, start more"));
        }
        if (longestDrain != null && longestDrain.compareTo(LONG_DRAIN) > 0) {
            concerns.add(
                    "%d orders tell workers to drain, the first for %s: lift those that were forgotten (workers.standingOrders)."
                            .formatted(standingDrains, rounded(longestDrain)));
        }
        if (longestExpiry != null && longestExpiry.compareTo(LONG_WAIT) > 0) {
            concerns.add(
                    "%d leases ran out, the first %s ago, and nobody takes the jobs up: run a worker with its reaper on."
                            .formatted(expiredLeases, rounded(longestExpiry)));
        }
        if (snapshotAge != null && snapshotAge.compareTo(LONG_SNAPSHOT) > 0) {
            concerns.add(
                    "A transaction has been open for %s, and nothing replaced since can be removed: end it (pg_stat_activity, oldest backend_xmin)."
                            .formatted(rounded(snapshotAge)));
        }
        for (Table table : tables) {
            if (table.isBloated()) {
                concerns.add(
                        "%s has %d dead rows beside %d live ones: see that autovacuum runs and that no old transaction holds it up."
                                .formatted(table.name(), table.deadRows(), table.liveRows()));
            }
        }
        return List.copyOf(concerns);
    }

    private static Duration rounded(Duration duration) {
        return Duration.ofSeconds(duration.toSeconds());
    }
}
