package io.runledger.samples;

import static io.runledger.samples.TrialInJava.TRIAL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.history.StepTransition;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class TrialInJavaTest {
    @Test
    void aTrialThatNobodyPaysForIsClosedAfterTwoReminders(TestLedger ledger) {
        var desk = new TrialDeskForTests(Set.of(), false);
        var handlers = new TrialInJava(desk).handlers();
        ledger.client().definitions().sync(handlers.jobTypes());
        var job = ledger.client()
                .jobs()
                .enqueue(TRIAL, new TrialInJava.Stage.Welcome("ada"))
                .id();

        ledger.work(handlers);
        for (int week = 1; week <= 3; week++) {
            ledger.advance(Duration.ofDays(7));
            ledger.work(handlers);
        }

        assertEquals(List.of("welcome", "reminder", "reminder", "closed"), List.copyOf(desk.getDone()));
        assertEquals(
                List.of("Welcome -> Remind", "Remind -> Remind", "Remind -> Remind", "Remind -> Close"),
                ledger.client().jobs().path(Scope.global(), job).stream()
                        .map(StepTransition::toString)
                        .toList());
        assertEquals(
                Json.of("\"left\""),
                ledger.client().jobs().get(Scope.global(), job).output());
    }

    @Test
    void aPersonSendsATrialThatIsParkedToAnotherStage(TestLedger ledger) {
        var client = ledger.client();
        client.definitions().declare(TRIAL);
        var job = client.jobs()
                .enqueue(TRIAL, new TrialInJava.Stage.Remind("ada", 0))
                .id();
        var broken = new TrialInJava(new TrialDeskForTests(Set.of(), true)).handlers();
        for (int attempt = 1; attempt <= 3; attempt++) {
            ledger.work(broken);
            ledger.advance(Duration.ofMinutes(5));
        }

        TrialInJava.decide(client, job, new TrialInJava.Stage.Close("ada"), "She wrote to us.");
        ledger.work(new TrialInJava(new TrialDeskForTests(Set.of(), false)).handlers());

        assertEquals(Json.of("\"left\""), client.jobs().get(Scope.global(), job).output());
    }
}
