package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.definition.DefinitionChange;
import io.runledger.model.definition.DefinitionSetting;
import io.runledger.model.error.ConflictException;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.handler.LogLevel;
import io.runledger.model.job.JobType;
import io.runledger.model.lease.LogRequest;
import io.runledger.model.ledger.RuntimeConfigRequest;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefinitionsTest {
    record Mail(String to) {}

    record Limits(int perMinute) {}

    private static final JobType<Mail> MAIL = JobType.builder("mail", Mail.class)
            .maxAttempts(3)
            .retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(2)))
            .build();
    private static final JobType<Limits> AUDIT = JobType.of("audit", Limits.class);

    private TestDatabase database;
    private RunledgerClient runledger;

    @BeforeEach
    void migrate() {
        database = TestPostgres.shared().freshDatabase();
        runledger = RunledgerClient.create(database.dataSource());
        runledger.migrate();
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void aServiceDeclaresItsTypesAndOperatorsSwitchThem() {
        var definitions = runledger.definitions();
        assertEquals(
                List.of("audit", "mail"), definitions.sync(List.of(MAIL, AUDIT)).inserted());
        assertEquals(MAIL.settings().retryPolicy(), definitions.retryPolicyOf(definitions.declare(MAIL)));

        assertFalse(definitions.disable("mail").enabled());
        assertTrue(definitions.enable("mail").enabled());
        assertTrue(definitions.pause("mail").paused());
        assertFalse(definitions.resume("mail").paused());
        assertEquals(
                5,
                definitions
                        .change(
                                "mail",
                                DefinitionChange.builder().maxAttempts(5).build())
                        .effective()
                        .maxAttempts());
        assertEquals(2, definitions.list().size());
        assertEquals("audit", definitions.list("aud").get(0).jobType());
        assertNull(definitions.find("nobody"));
        var unknown = assertThrows(InvalidRequestException.class, () -> definitions.get("nobody"));
        assertEquals(ErrorCode.DEFINITION_NOT_FOUND, unknown.code());
        assertEquals(
                List.of("audit"),
                definitions.syncExactly(List.of(MAIL), List.of("mail", "audit")).disabled());
    }

    @Test
    void versionsDecideAndAnOperatorsWordStandsUntilItIsReset() {
        var definitions = runledger.definitions();
        definitions.sync(List.of(
                JobType.builder("mail", Mail.class).version(2).maxAttempts(6).build()));
        assertEquals(List.of("mail"), definitions.sync(List.of(MAIL)).outdated());

        var changed = definitions.change(
                "mail", DefinitionChange.builder().maxAttempts(1).build());
        assertEquals(1, changed.effective().maxAttempts());
        assertEquals(6, changed.declared().maxAttempts());
        assertEquals(Set.of(DefinitionSetting.MAX_ATTEMPTS), changed.overrides());
        var redeclared =
                JobType.builder("mail", Mail.class).version(2).maxAttempts(7).build();
        assertEquals(List.of("mail"), definitions.sync(List.of(redeclared)).redeclared());
        assertEquals(1, definitions.get("mail").effective().maxAttempts());
        assertEquals(7, definitions.reset("mail").effective().maxAttempts());
    }

    @Test
    void aTypeIsDeclaredInTheCallersTransaction() throws SQLException {
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            runledger.within(connection).definitions().declare(MAIL);
            connection.rollback();
        }
        assertEquals(List.of(), runledger.definitions().list());
    }

    @Test
    void settingsAreWrittenByRevision() {
        runledger.definitions().declare(MAIL);
        var configs = runledger.configs();
        assertThrows(NotFoundException.class, () -> configs.get("mail"));
        var first = configs.putIfMissing(RuntimeConfigRequest.of("mail", new Limits(5)));
        var second = configs.put(RuntimeConfigRequest.of("mail", new Limits(6)).replacing(first.revision()));

        assertEquals(2, second.revision());
        assertEquals(new Limits(6), runledger.codec().decode(configs.get("mail").config(), Limits.class));
        assertThrows(
                ConflictException.class,
                () -> configs.put(RuntimeConfigRequest.of("mail", new Limits(7)).replacing(first.revision())));
        assertEquals(List.of(second), configs.list());
        assertNull(configs.find("audit"));
    }

    @Test
    void linesAreAppendedAndRead() {
        runledger.definitions().declare(MAIL);
        UUID job = runledger.jobs().enqueue(MAIL, new Mail("ada")).id();
        var logs = runledger.logs();
        assertTrue(logs.append(LogRequest.of(job, LogLevel.INFO, "one")));
        assertEquals(1, logs.appendAll(List.of(LogRequest.of(job, LogLevel.WARN, "two"))));

        var lines = logs.list(Scope.global(), job).items();
        assertEquals("one", lines.get(0).message());
        assertEquals(
                1,
                logs.list(Scope.global(), job, 10, lines.get(0).cursor())
                        .items()
                        .size());
        assertEquals("two", logs.newest(Scope.global(), job).items().get(0).message());
    }

    @Test
    void numbersAreReadByScope() {
        runledger.definitions().declare(MAIL);
        runledger.jobs().enqueue(MAIL, new Mail("ada"));

        assertEquals(1, runledger.metrics().jobs(Scope.global()).get(0).pending());
        assertEquals(
                0,
                runledger
                        .metrics()
                        .jobs(Scope.organization(UUID.randomUUID()))
                        .get(0)
                        .pending());
        assertNull(runledger.metrics().jobs(Scope.everything()).get(0).medianDuration());
    }
}
