package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.exposed.Ledgers;
import io.runledger.exposed.lifecycle.ListedLedger;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TenantsInJavaTest {
    @Test
    void customersComeGetTheirLettersAndGo() throws Exception {
        var posted = new LinkedBlockingQueue<String>();
        try (var database = TestPostgres.shared().freshDatabase()) {
            try (var tenants = new TenantsInJava(
                    database.dataSource(), (tenant, letter) -> posted.add(tenant + " to " + letter.reader()))) {
                tenants.welcome("acme");
                tenants.welcome("globex");
                Ledgers.of(database.dataSource()).create("aperture");
                try (var connection = database.connect();
                        var statement = connection.createStatement()) {
                    statement.execute("UPDATE aperture.runledger_schema_history SET checksum = 1");
                }
                assertEquals(Set.of("aperture"), tenants.open().keySet());
                tenants.publish("acme", new TenantsInJava.Newsletter("Spring", List.of("Ada")));
                assertEquals("acme to Ada", posted.poll(1, TimeUnit.MINUTES));
                tenants.publish("globex", new TenantsInJava.Newsletter("Autumn", List.of("Eve")));
                assertEquals("globex to Eve", posted.poll(1, TimeUnit.MINUTES));

                assertEquals(0, tenants.farewell("acme"));
            }
            var ledgers = Ledgers.of(database.dataSource());
            assertEquals(
                    List.of("aperture", "globex"),
                    ledgers.list().stream().map(ListedLedger::schema).toList());
            assertEquals(List.of(), ledgers.client("globex").verify().contradictions());
        }
    }
}
