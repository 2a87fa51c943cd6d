package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.flow.KeyedBy;
import io.runledger.model.flow.LimitChange;
import io.runledger.model.flow.LimitValues;
import io.runledger.model.flow.Rate;
import io.runledger.model.job.JobType;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LimitsTest {
    record CrmPush(String customer) {}

    private static final JobType<CrmPush> PUSH = JobType.builder("crm.push", CrmPush.class)
            .limit("crm-api", limit -> limit.permits(8).rate(100, Duration.ofSeconds(1)))
            .limit("crm-customer", limit -> limit.by(CrmPush::customer).permits(1))
            .orderedBy(CrmPush::customer)
            .fairByOrganization()
            .queue("crm")
            .build();

    private TestDatabase database;
    private RunledgerClient runledger;

    @BeforeEach
    void migrate() {
        database = TestPostgres.shared().freshDatabase();
        runledger = RunledgerClient.create(database.dataSource());
        runledger.migrate();
        runledger.definitions().sync(List.of(PUSH));
        runledger.jobs().enqueue(PUSH, new CrmPush("42"));
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void anOperatorChangesALimitAndResetsIt() {
        var limits = runledger.actingAs("dana").limits();
        assertEquals(2, limits.list().items().size());
        assertEquals(1, limits.list(1, null).items().size());
        assertEquals(2, limits.changePermits("crm-api", 2).inForce().permits());
        assertEquals(
                LimitValues.permits(2).withRate(Rate.of(5, Duration.ofMinutes(1))),
                limits.changeRate("crm-api", Rate.of(5, Duration.ofMinutes(1)), "the CRM is slow")
                        .inForce());
        assertTrue(limits.change("crm-api", LimitValues.permits(0)).changed());
        assertFalse(limits.reset("crm-api").changed());
        assertEquals(
                List.of(8, 0, 2, 2, 8),
                limits.history("crm-api").items().stream()
                        .map(LimitChange::values)
                        .map(LimitValues::permits)
                        .toList());
        assertEquals(1, limits.usage("crm-customer").items().get(0).waiting());
        assertEquals("42", limits.usage("crm-customer", 10, null).items().get(0).key());
        assertEquals(KeyedBy.KEY, limits.get("crm-customer").keyedBy());
        assertNull(limits.find("nobody"));
        assertEquals(2, runledger.definitions().get("crm.push").flow().limits().size());
    }

    @Test
    void anOperatorPausesAQueueAndWeighsAShare() {
        var queues = runledger.queues();
        assertTrue(queues.pause("crm", "the CRM is down").paused());
        assertFalse(queues.resume("crm").paused());
        assertEquals(
                LimitValues.permits(3),
                queues.limit("crm", LimitValues.permits(3)).values());
        assertEquals(1, queues.list().items().get(0).waiting());
        assertNotNull(queues.get("crm").oldestDue());
        assertEquals(3, queues.history("crm").items().size());
        assertEquals(4, runledger.shares().weigh("crm.push", "global", 4).weight());
        assertEquals(1, runledger.shares().list("crm.push").items().size());
    }
}
