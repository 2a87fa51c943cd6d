package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.ledger.Scope;
import io.runledger.samples.MonthlyClosingInJava.Books;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
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
    }
}
