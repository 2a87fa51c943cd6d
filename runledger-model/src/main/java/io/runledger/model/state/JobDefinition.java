package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job type and its defaults: those that count, and those that code declared. A job's own values are frozen when it is enqueued, so a
 * change here touches later jobs only.
 *
 * @param jobType name of the type
 * @param version the declaring code's own version of the type; an older declaration changes nothing
 * @param maxAttempts attempts of a job that names none
 * @param defaultTimeout timeout of a job that names none
 * @param defaultPriority priority of a job that names none; larger is claimed earlier
 * @param enabled false refuses new jobs; queued ones still run
 * @param paused true stops claiming; new jobs are still accepted
 * @param retryPolicy how failures are retried, or null for the library's standard policy
 * @param declared what code declared last
 * @param overrides what an operator changed, which stands whatever is declared until it is reset; unmodifiable
 * @param redeclaredAt when code last declared something else under the version that was stored, or null when it did not: then two builds
 *     may undo each other at each start
 * @param createdAt when the type was first declared
 * @param updatedAt when the row last changed
 */
public record JobDefinition(
        String jobType,
        int version,
        int maxAttempts,
        Duration defaultTimeout,
        int defaultPriority,
        boolean enabled,
        boolean paused,
        @Nullable Json retryPolicy,
        DeclaredDefaults declared,
        Set<DefinitionSetting> overrides,
        @Nullable Instant redeclaredAt,
        Instant createdAt,
        Instant updatedAt) {
    /**
     * Copies the set.
     *
     * @param jobType see the record
     * @param version see the record
     * @param maxAttempts see the record
     * @param defaultTimeout see the record
     * @param defaultPriority see the record
     * @param enabled see the record
     * @param paused see the record
     * @param retryPolicy see the record
     * @param declared see the record
     * @param overrides see the record
     * @param redeclaredAt see the record
     * @param createdAt see the record
     * @param updatedAt see the record
     */
    public JobDefinition {
        EnumSet<DefinitionSetting> copy = EnumSet.noneOf(DefinitionSetting.class);
        copy.addAll(overrides);
        overrides = Collections.unmodifiableSet(copy);
    }
}
