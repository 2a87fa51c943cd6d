package io.runledger.model.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database of a ledger: its size, the sizes of the ledger's tables, and its connections. The numbers of rows are
 * estimates of the database.
 *
 * @param serverVersion as the server reports it
 * @param databaseBytes size of the whole database, including what does not belong to the ledger
 * @param tables tables in the schema of the ledger, the largest first
 * @param oldestSnapshotAge duration of the oldest transaction that keeps vacuum from removing rows; null if there is
 *     none, or if the role cannot see it. Sessions of other roles are visible only to members of {@code
 *     pg_read_all_stats}
 * @param connections connections to this database, of all roles
 * @param maxConnections connections that the server allows, to all databases
 * @param oldestEndAt when the oldest ended job ended; null if there is none. Jobs of workflow steps are not considered
 */
public record DatabaseReport(
        String serverVersion,
        String databaseName,
        long databaseBytes,
        List<Table> tables,
        @Nullable Duration oldestSnapshotAge,
        int connections,
        int maxConnections,
        @Nullable Instant oldestEndAt) {
    public DatabaseReport {
        tables = List.copyOf(tables);
    }

    /** The size of all tables in the schema of the ledger, with their indexes. */
    public long ledgerBytes() {
        return tables.stream().mapToLong(Table::totalBytes).sum();
    }

    /**
     * A table and its indexes.
     *
     * @param totalBytes size with indexes
     * @param tableBytes size without indexes
     * @param indexBytes size of the indexes
     * @param vacuumedAt time of the last vacuum, by hand or automatic; null if there was none
     * @param analyzedAt time of the last analyze, by hand or automatic; null if there was none
     */
    public record Table(
            String name,
            long totalBytes,
            long tableBytes,
            long indexBytes,
            long liveRows,
            long deadRows,
            @Nullable Instant vacuumedAt,
            @Nullable Instant analyzedAt) {}
}
