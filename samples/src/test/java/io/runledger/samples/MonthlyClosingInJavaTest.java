package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.FireOutcome;
import io.runledger.model.schedule.ScheduleFire;
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

        var fire = closing.closeNow("at", "The auditors are here.");
        closing.hold("at", "They have taken the books along.");

        var run = client.workflows().get(Scope.global(), fire.runId());
        assertEquals("closing", run.workflowType());
        assertTrue(run.metadata().text().contains("closing-at"));
        assertEquals(
                List.of(FireOutcome.PAUSED, FireOutcome.FIRED),
                closing.audit("at").stream().map(ScheduleFire::outcome).toList());
        assertTrue(client.verify().isSound());
    }
}
