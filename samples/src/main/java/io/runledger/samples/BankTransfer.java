package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Plain JDBC: one transaction transfers the money and enqueues the receipt. Both are committed, or neither. */
public final class BankTransfer {
    public record Receipt(String from, String to, long cents) {}

    public static final JobType<Receipt> SEND_RECEIPT = JobType.of("bank.receipt", Receipt.class);

    private final DataSource dataSource;
    private final RunledgerClient client;

    public BankTransfer(DataSource dataSource, RunledgerClient client) {
        this.dataSource = dataSource;
        this.client = client;
    }

    public UUID transfer(String from, String to, long cents) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                var receipt = new Receipt(from, to, cents);
                var job = client.within(connection).jobs().enqueue(SEND_RECEIPT, receipt);
                book(connection, from, -cents);
                book(connection, to, cents);
                connection.commit();
                return job.id();
            } catch (SQLException | RuntimeException failure) {
                connection.rollback();
                throw failure;
            }
        }
    }

    private static void book(Connection connection, String account, long cents) throws SQLException {
        try (var update = connection.prepareStatement("UPDATE balances SET cents = cents + ? WHERE account = ?")) {
            update.setLong(1, cents);
            update.setString(2, account);
            if (update.executeUpdate() == 0) throw new IllegalArgumentException("There is no account " + account + ".");
        }
    }
}
