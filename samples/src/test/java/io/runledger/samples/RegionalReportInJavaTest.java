package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class RegionalReportInJavaTest {
    @Test
    void aReportIsStartedAndScheduledWithItsValues(TestLedger ledger) {
        var client = ledger.client();
        client.definitions().declare(RegionalReportInJava.COLLECT);
        var reports = new RegionalReportInJava(client);

        var run = client.workflows().get(Scope.global(), reports.start("north", 30));
        reports.weekly("north");

        assertTrue(run.metadata().text().contains("\"team\": \"sales\""));
        assertEquals(30, reports.daysOf(run.id()));
        assertEquals(
                "regional.report",
                client.schedules().get(Scope.global(), "report-north").workflowType());
    }

    @Test
    void aFormWithAMistakeIsRefused(TestLedger ledger) {
        ledger.client().definitions().declare(RegionalReportInJava.COLLECT);
        var reports = new RegionalReportInJava(ledger.client());

        var refused = assertThrows(InvalidWorkflowException.class, () -> reports.fromForm(Map.of("days", "soon")));

        assertEquals(ErrorCode.PARAMETER_MISSING, refused.code());
        assertEquals(2, refused.problems().size());
    }
}
