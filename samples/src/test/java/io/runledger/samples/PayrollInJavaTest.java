package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class PayrollInJavaTest {
    @Test
    void aPayrollIsHeldBackCorrectedAndLetGo(TestLedger ledger) {
        var client = ledger.client();
        var desk = new PayrollInJava(client);
        var paid = new CopyOnWriteArrayList<PayrollInJava.Pay>();
        var handlers = PayrollInJava.handlers(paid::add);
        client.definitions().sync(handlers.jobTypes());
        var run = client.workflows()
                .enqueue(PayrollInJava.payroll("2026-11", List.of(new PayrollInJava.Pay("ada", 1))))
                .runId();

        assertEquals("No more salaries are paid.", desk.hold(run, "One cent?"));
        assertEquals("It was held back before: One cent?", desk.hold(run, "Again"));
        assertEquals(List.of(run), desk.onHold());
        ledger.work(handlers);
        assertEquals(List.of(), paid);
        desk.correct(run, new PayrollInJava.Pay("ada", 500_000), "Of course not.");
        desk.goOn(run, "Corrected.");
        ledger.work(handlers);

        assertEquals(List.of(new PayrollInJava.Pay("ada", 500_000)), paid);
        assertEquals("Too late, it ended as SUCCEEDED.", desk.hold(run, "Too late"));
        assertEquals(List.of("PAUSED: One cent?", "RESUMED: Corrected."), desk.audit(run));
        assertTrue(client.verify().isSound());
    }
}
