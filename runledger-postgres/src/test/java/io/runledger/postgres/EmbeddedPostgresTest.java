package io.runledger.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmbeddedPostgresTest {
    private static final DatabaseTemplate ACCOUNTS = new DatabaseTemplate("accounts of the Java test, 1", database -> {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id int PRIMARY KEY)");
        }
    });

    @Test
    void aServerIsStartedAndReachedFromJava() throws SQLException {
        try (var server = EmbeddedPostgres.builder()
                        .durable()
                        .setting("work_mem", "8MB")
                        .settings(Map.of("log_connections", "on"))
                        .port(0)
                        .start();
                var connection =
                        DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
                var rows = connection.createStatement().executeQuery("SHOW work_mem")) {
            assertTrue(rows.next());
            assertEquals("8MB", rows.getString(1));
            assertTrue(server.majorVersion() >= 14);
        }
    }

    @Test
    void aTestGetsADatabaseOfItsOwn() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase(ACCOUNTS);
                var connection = database.dataSource().getConnection();
                var insert = connection.prepareStatement("INSERT INTO account VALUES (1)")) {
            assertEquals(1, insert.executeUpdate());
        }
    }
}
