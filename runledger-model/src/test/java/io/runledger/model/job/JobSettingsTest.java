package io.runledger.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.definition.DefinitionChange;
import io.runledger.model.json.Json;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.workflow.JobStep;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each builder has the shared settings and its own methods in one chain, in any order. */
class JobSettingsTest {
    private static final RetryPolicy TWICE_A_MINUTE = RetryPolicy.fixed(Duration.ofSeconds(30));
    private static final JobSettings SETTINGS = new JobSettings(7, 3, Duration.ofMinutes(1), TWICE_A_MINUTE);

    @Test
    void aRequest() {
        JobRequest request = JobRequest.builder("mail", Json.EMPTY_OBJECT)
                .priority(7)
                .idempotencyKey("mail/1")
                .maxAttempts(3)
                .timeout(Duration.ofMinutes(1))
                .retryPolicy(TWICE_A_MINUTE)
                .delay(Duration.ofSeconds(5))
                .build();

        assertEquals(SETTINGS, request.settings());
        assertEquals("mail/1", request.idempotencyKey());
    }

    @Test
    void aStep() {
        JobStep step = JobStep.builder("mail")
                .priority(7)
                .maxAttempts(3)
                .mayContinue()
                .timeout(Duration.ofMinutes(1))
                .retryPolicy(TWICE_A_MINUTE)
                .stage(JobStage.SCHEDULED)
                .build();

        assertEquals(SETTINGS, step.settings());
        assertEquals(JobStage.SCHEDULED, step.stage());
    }

    @Test
    void aType() {
        JobType<String> type = JobType.builder("mail", String.class)
                .priority(7)
                .maxAttempts(3)
                .version(2)
                .timeout(Duration.ofMinutes(1))
                .retryPolicy(TWICE_A_MINUTE)
                .disabled()
                .build();

        assertEquals(SETTINGS, type.settings());
        assertEquals(2, type.version());
    }

    @Test
    void aChange() {
        assertEquals(
                new DefinitionChange(new JobSettings(7, null, null, null)),
                DefinitionChange.builder().priority(7).build());
    }
}
