package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.exposed.workflow.read.WorkflowReads;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.history.StepEventType;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.model.render.WorkflowGraph;
import io.runledger.model.run.WorkflowQuery;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.model.workflow.WorkflowRunStatus;
import io.runledger.model.workflow.WorkflowStepStatus;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WorkflowReadsTest {
    @Test
    void aServiceLooksAtItsRuns() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('ship')");
            }
            var acme = UUID.randomUUID();
            var scope = Scope.organization(acme);
            var order = WorkflowRequest.builder("orders.fulfil")
                    .organization(acme)
                    .idempotencyKey("order-7")
                    .metadata(Json.of("{\"order\":7}"));
            var approval = order.externalGate("approval", gate -> gate.payload(Json.of("{\"order\":7}")));
            order.job("ship", job -> job.after(approval));
            var id = runledger.workflows().enqueue(order.build()).runId();

            WorkflowReads runs = runledger.workflows();

            assertEquals(
                    WorkflowRunStatus.WAITING_FOR_EXTERNAL, runs.get(scope, id).status());
            assertNull(runs.find(Scope.global(), id));
            assertThrows(NotFoundException.class, () -> runs.get(Scope.global(), id));
            assertEquals(id, runs.findByKey(scope, "orders.fulfil", "order-7").id());
            assertEquals(id, runs.findLatest(scope, "orders.fulfil").id());

            var query = WorkflowQuery.builder()
                    .statuses(WorkflowRunStatus.RUNNING, WorkflowRunStatus.WAITING_FOR_EXTERNAL)
                    .typePrefix("orders.")
                    .metadataContaining(Json.of("{\"order\":7}"))
                    .createdSince(Instant.EPOCH)
                    .limit(10)
                    .build();
            var page = runs.list(scope, query);
            assertEquals(id, page.items().get(0).id());
            assertFalse(page.hasNext());
            assertEquals(1, runs.count(scope, query));
            assertEquals(1, runs.count(scope));

            var gate = runs.openGates(scope, 10).items().get(0);
            assertEquals("approval", gate.stepKey());
            assertEquals(Json.of("{\"order\": 7}"), gate.payload());

            assertEquals(2, runs.steps(scope, id).items().size());
            assertEquals(1, runs.dependencies(scope, id).items().size());
            assertEquals(
                    Map.of(WorkflowStepStatus.WAITING_FOR_EXTERNAL, 1L, WorkflowStepStatus.BLOCKED, 1L),
                    runs.stepCounts(scope, id));
            assertEquals(Map.of(id, 2L), runs.stepTotals(scope, List.of(id)));
            assertEquals(
                    StepEventType.CREATED, runs.events(scope, id).items().get(0).type());
            assertEquals("ship", runs.getStep(scope, id, "ship").stepKey());
            assertNull(runs.findStep(scope, id, "unknown"));
            assertThrows(NotFoundException.class, () -> runs.getStep(scope, id, "unknown"));
            assertEquals(List.of(), runs.mutations(scope, id));
            assertEquals(List.of(), runs.lineage(scope, id).recoveries());
            assertNull(runs.findActiveClaim(scope, "nobody's"));
            assertNull(runs.findByJob(scope, UUID.randomUUID()));

            assertEquals("""
                    orders.fulfil WAITING_FOR_EXTERNAL
                    └─ ◇ approval [gate, waiting]
                       └─ · ship [blocked]
                    """, WorkflowGraph.of(runs.story(scope, id)).tree());
        }
    }
}
