package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.read.JobReads;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.history.JobEventType;
import io.runledger.model.history.JobReason;
import io.runledger.model.job.JobQuery;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobStatus;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobReadsTest {
    @Test
    void aServiceLooksAtItsJobs() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')");
            }
            var acme = UUID.randomUUID();
            var scope = Scope.organization(acme);
            var id = runledger
                    .jobs()
                    .enqueue(JobRequest.builder("mail", Json.of("{\"customer\":42}"))
                            .organization(acme)
                            .idempotencyKey("welcome")
                            .build())
                    .id();

            JobReads jobs = runledger.jobs();
            assertTrue(jobs.get(scope, id).flow().isEmpty());
            assertEquals(
                    List.of(), jobs.list(scope, query -> query.queue("imports")).items());

            assertEquals(JobStatus.PENDING, jobs.get(scope, id).status());
            assertNull(jobs.find(Scope.global(), id));
            assertThrows(NotFoundException.class, () -> jobs.get(Scope.global(), id));
            assertEquals(id, jobs.findByKey(scope, "mail", "welcome").id());

            var query = JobQuery.builder()
                    .statuses(JobStatus.PENDING, JobStatus.LEASED)
                    .jobTypes(List.of("mail"))
                    .payloadContaining(Json.of("{\"customer\":42}"))
                    .createdSince(Instant.EPOCH)
                    .limit(10)
                    .build();
            var page = jobs.list(scope, query);
            assertEquals(id, page.items().get(0).id());
            assertFalse(page.hasNext());
            assertEquals(1, jobs.list(Scope.everything()).items().size());
            assertEquals(
                    page,
                    jobs.list(scope, mails -> mails.jobTypes(List.of("mail")).limit(10)));

            var next = jobs.list(
                    scope,
                    waiting -> waiting.statuses(JobStatus.PENDING)
                            .jobTypes(List.of("mail"))
                            .order(JobQuery.Order.CLAIM)
                            .maxRead(1_000));
            assertEquals(page, next);
            assertEquals(1, jobs.get(scope, id).payload().requireStorable().depth());

            assertEquals(Map.of(id, JobStatus.PENDING), jobs.statuses(scope, List.of(id, UUID.randomUUID())));
            assertEquals(1L, jobs.counts(scope).get(JobStatus.PENDING));
            assertEquals(
                    JobEventType.ENQUEUED, jobs.events(scope, id).items().get(0).type());
            assertEquals(List.of(), jobs.events(scope, id, 10, "1").items());
            assertEquals(List.of(), jobs.attempts(scope, id));
            assertEquals(id, jobs.story(scope, id).job().id());
            var why = jobs.why(scope, id);
            assertEquals(List.of(), why.get(0).jobs());
            assertEquals(
                    List.of(JobReason.Code.NO_WORKER),
                    why.stream().map(JobReason::code).toList());
        }
    }
}
