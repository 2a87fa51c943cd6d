package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.fleet.BeatAnswer;
import io.runledger.model.fleet.GivenOrder;
import io.runledger.model.fleet.Worker;
import io.runledger.model.fleet.WorkerCard;
import io.runledger.model.fleet.WorkerOrder;
import io.runledger.model.fleet.WorkerSelection;
import io.runledger.model.fleet.WorkerState;
import io.runledger.model.value.UuidV7;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkersTest {
    @Test
    void anOperatorDrainsAndResumesAPartOfTheFleet() {
        try (TestDatabase database = TestPostgres.shared().freshDatabase()) {
            RunledgerClient client = RunledgerClient.create(database.dataSource());
            client.migrate();
            var europe = WorkerSelection.labelled("eu");
            var card = new WorkerCard(
                    UuidV7.next(),
                    "w1",
                    Set.of("eu"),
                    List.of("mail"),
                    Set.of("imports"),
                    4,
                    "1.0",
                    null,
                    "host",
                    1,
                    Duration.ofSeconds(30));
            Instant since = WorkerLedger.of(client).fleet().enter(card);
            assertEquals(since, WorkerLedger.of(client).fleet().enter(card, since));

            GivenOrder given = client.workers().drain(europe, "Deploy 4.2");

            assertEquals("w1", given.workers().get(0).workerId());
            assertTrue(given.order().isStanding());
            BeatAnswer answer = WorkerLedger.of(client).fleet().beat(card.id(), WorkerState.DRAINED, 0);
            assertTrue(answer.isToDrain());
            List<Worker> drained = client.workers()
                    .awaitDrained(europe, Duration.ofSeconds(30))
                    .join();
            assertEquals(WorkerState.DRAINED, drained.get(0).state());
            assertEquals(Set.of("imports"), drained.get(0).queues());

            GivenOrder second = client.workers().drain(europe, "Migration");
            WorkerOrder lifted = client.workers()
                    .resume(given.order().id(), "Deployed.")
                    .orders()
                    .get(0);
            assertEquals(given.order().id(), lifted.id());
            assertEquals(List.of(second.order()), client.workers().standingOrders());
            assertEquals(
                    1, client.workers().resume(europe, "Migrated.").orders().size());
            WorkerOrder limited = client.workers()
                    .drain(europe, "Deploy 4.3", Duration.ofMinutes(10))
                    .order();
            assertEquals(limited.orderedAt().plus(Duration.ofMinutes(10)), limited.endsAt());
            client.workers().drain(WorkerSelection.all(), "Maintenance.");
            assertEquals(2, client.workers().resumeAll("All is well.").orders().size());
            var latest = client.workers().orders(1);
            assertEquals("Maintenance.", latest.items().get(0).reason());
            assertEquals(
                    limited.id(),
                    client.workers().orders(1, latest.next()).items().get(0).id());
            assertFalse(client.workers().list().get(0).isLost());
            assertEquals(List.of(), client.workers().heldJobs("w1"));
            assertEquals(
                    "Over.",
                    client.workers()
                            .stop(WorkerSelection.all(), "Over.")
                            .order()
                            .reason());
        }
    }
}
