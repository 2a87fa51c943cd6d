package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.ledger.Scope;
import io.runledger.samples.MonthlyClosingInJava.Books;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class MonthlyClosingInJavaTest {
    @Test
    void aClosingIsStartedByHandAndHeld(TestLedger ledger) {
        var client = ledger.client();
        var closing = new MonthlyClosingInJava(client);
        closing.plan(new Books("at", "EUR"));

        var started = closing.closeNow("at", "The auditors are here.");
        closing.hold("at", "They have taken the books along.");

        var run = client.workflows().get(Scope.global(), started);
        assertEquals("closing", run.workflowType());
        assertTrue(run.metadata().text().contains("closing-at"));
        assertEquals(
                List.of("PAUSED: They have taken the books along.", "FIRED: The auditors are here."),
                closing.audit("at"));
        assertTrue(client.verify().isSound());

        var summer = Instant.parse("2025-06-01T00:00:00Z");
        assertEquals(3, closing.makeUpFor(summer, Instant.parse("2025-09-01T00:00:00Z"), "at", "dana", "Found them."));
        closing.closeAtNoon("at", "dana", "The bank is later.");
        assertEquals(
                "0 12 1 * *",
                client.schedules().get(Scope.global(), "closing-at").cron());
    }
}
