package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobQuery;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class BankTransferTest {
    private BankTransfer bank;

    @BeforeEach
    void openAccounts(RunledgerClient client, DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE balances (account text PRIMARY KEY, cents bigint CHECK (cents >= 0))");
            statement.execute("INSERT INTO balances VALUES ('ada', 100), ('bob', 0)");
        }
        client.definitions().declare(BankTransfer.SEND_RECEIPT);
        bank = new BankTransfer(dataSource, client);
    }

    @Test
    void theReceiptIsEnqueuedWithTheMoney(RunledgerClient client, DataSource dataSource) throws SQLException {
        var job = bank.transfer("ada", "bob", 40);

        assertEquals(60, balance(dataSource, "ada"));
        var payload = client.jobs().get(Scope.global(), job).payload();
        assertEquals(
                new BankTransfer.Receipt("ada", "bob", 40), client.codec().decode(payload, BankTransfer.Receipt.class));
    }

    @Test
    void whoHasTooLittleGetsNoReceipt(RunledgerClient client, DataSource dataSource) throws SQLException {
        assertThrows(SQLException.class, () -> bank.transfer("ada", "bob", 101));

        assertEquals(100, balance(dataSource, "ada"));
        assertEquals(
                List.of(), client.jobs().list(Scope.global(), JobQuery.all()).items());
    }

    @Test
    void moneyForNobodyIsNotTaken(RunledgerClient client, DataSource dataSource) throws SQLException {
        assertThrows(IllegalArgumentException.class, () -> bank.transfer("ada", "nobody", 10));

        assertEquals(100, balance(dataSource, "ada"));
        assertEquals(
                List.of(), client.jobs().list(Scope.global(), JobQuery.all()).items());
    }

    private static long balance(DataSource dataSource, String account) throws SQLException {
        try (var connection = dataSource.getConnection();
                var select = connection.prepareStatement("SELECT cents FROM balances WHERE account = ?")) {
            select.setString(1, account);
            try (var rows = select.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
