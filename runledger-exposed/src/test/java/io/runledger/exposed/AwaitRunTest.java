package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.error.UnavailableException;
import io.runledger.model.ledger.Scope;
import io.runledger.model.workflow.WorkflowRun;
import io.runledger.model.workflow.WorkflowRunStatus;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class AwaitRunTest {
    record Answer(int value) {}

    @Test
    void aServiceWaitsForARunAndForItsResult() throws Exception {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            var workflows = runledger.workflows();
            var id = UUID.randomUUID();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute(
                        "WITH run AS (INSERT INTO runledger.workflow_runs (id, workflow_type, result_step_key)"
                                + " VALUES ('" + id + "', 'w', 'answer'))"
                                + " INSERT INTO runledger.workflow_step_rows (workflow_run_id, ordinal, step_key, execution_kind, status)"
                                + " VALUES ('" + id + "', 0, 'answer', 'EXTERNAL', 'WAITING_FOR_EXTERNAL')");

                CompletableFuture<WorkflowRun> end = workflows.await(Scope.global(), id);
                CompletableFuture<Answer> answer = workflows.awaitResult(Scope.global(), id, Answer.class);
                var impatient = workflows.await(Scope.global(), id, Duration.ZERO);
                var late = assertThrows(CompletionException.class, impatient::join);
                assertEquals(
                        ErrorCode.RESULT_TIMEOUT,
                        assertInstanceOf(UnavailableException.class, late.getCause())
                                .code());

                statement.execute("UPDATE runledger.workflow_runs SET status = 'SUCCEEDED', finished_at = now(),"
                        + " result = '{\"value\": 42}' WHERE id = '" + id + "'");
                assertEquals(WorkflowRunStatus.SUCCEEDED, end.join().status());
                assertEquals(new Answer(42), answer.join());
            }
            var missing = workflows.await(Scope.global(), UUID.randomUUID());
            assertInstanceOf(
                    NotFoundException.class,
                    assertThrows(CompletionException.class, missing::join).getCause());
        }
    }
}
