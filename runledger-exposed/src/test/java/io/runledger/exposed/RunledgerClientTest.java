package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.exposed.json.JacksonCodec;
import io.runledger.exposed.sql.ConstraintErrors;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.SchemaException;
import io.runledger.model.json.Json;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunledgerClientTest {
    record Greeting(String name, int times) {}

    @Test
    void aServiceMigratesAndChecksItsLedger() {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());

            var missing = assertThrows(SchemaException.class, runledger::requireCompatibleSchema);
            assertEquals(ErrorCode.SCHEMA_MISSING, missing.code());

            var report = runledger.migrate();
            assertEquals("runledger", report.schema());
            assertEquals("V1 types", report.applied().get(0));
            runledger.requireCompatibleSchema();
            assertEquals(List.of(), runledger.migrate().applied());
        }
    }

    @Test
    void everyChoiceHasABuilderMethod() {
        var codec = new JacksonCodec(JacksonCodec.standardMapper());
        ConstraintErrors hostErrors =
                constraint -> constraint.equals("fk_job_queue_organization") ? ErrorCode.INVALID_ARGUMENT : null;
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.builder(database.dataSource())
                    .schema("order")
                    .codec(codec)
                    .constraintErrors(hostErrors)
                    .maxPayloadBytes(1 << 16)
                    .maxOutputBytes(1 << 16)
                    .maxCheckpointBytes(1 << 14)
                    .maxContextBytes(1 << 18)
                    .maxFactsBytes(1 << 12)
                    .maxLogLines(1_000)
                    .maxHeadersBytes(1 << 12)
                    .headers(target -> Map.of("correlation", "c-1"))
                    .build();

            assertEquals("order", runledger.schema());
            assertSame(codec, runledger.codec());
            assertEquals("order.job_queue", runledger.tables().getJobQueue().getTableName());
        }
    }

    @Test
    void aBadSchemaNameIsRefusedBeforeAnythingHappens() {
        var builder = RunledgerClient.builder(
                TestPostgres.shared().server().database("none").dataSource());

        var refusal = assertThrows(InvalidRequestException.class, () -> builder.schema("My Ledger"));

        assertEquals(ErrorCode.SCHEMA_NAME, refusal.code());
    }

    @Test
    void recordsArePayloads() {
        var codec = new JacksonCodec();

        var json = codec.encode(new Greeting("Ada", 2));

        assertEquals(Json.of("{\"name\":\"Ada\",\"times\":2}"), json);
        assertEquals(new Greeting("Ada", 2), codec.decode(json, Greeting.class));
    }
}
