package io.runledger.model.definition;

import io.runledger.model.flow.DefinedFlow;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job type with its effective and its declared defaults. The values of a job are fixed when it is enqueued, so a
 * change of the defaults affects later jobs only.
 *
 * @param version version of the declaration; a declaration with an older version changes nothing
 * @param paused if true, jobs are not claimed; new jobs are still accepted
 * @param effective defaults that apply: those that an operator has overridden, and the declared ones
 * @param declared last declared defaults
 * @param overrides settings that an operator has overridden, until they are reset; unmodifiable
 * @param flow declared queue, limits, order and shares of the jobs
 * @param redeclaredAt last time at which other values were declared with the stored version, or null. If it is set, two
 *     builds may overwrite each other at each start
 * @param createdAt time of the first declaration
 */
public record JobDefinition(
        String jobType,
        int version,
        boolean paused,
        JobDefaults effective,
        JobDefaults declared,
        Set<DefinitionSetting> overrides,
        DefinedFlow flow,
        @Nullable Instant redeclaredAt,
        Instant createdAt,
        Instant updatedAt) {
    public JobDefinition {
        EnumSet<DefinitionSetting> copy = EnumSet.noneOf(DefinitionSetting.class);
        copy.addAll(overrides);
        overrides = Collections.unmodifiableSet(copy);
        Objects.requireNonNull(flow, "flow");
    }

    /** A definition without a flow. */
    public JobDefinition(
            String jobType,
            int version,
            boolean paused,
            JobDefaults effective,
            JobDefaults declared,
            Set<DefinitionSetting> overrides,
            @Nullable Instant redeclaredAt,
            Instant createdAt,
            Instant updatedAt) {
        this(
                jobType,
                version,
                paused,
                effective,
                declared,
                overrides,
                DefinedFlow.NONE,
                redeclaredAt,
                createdAt,
                updatedAt);
    }

    /** Whether new jobs are accepted. If not, queued jobs still run. */
    public boolean enabled() {
        return effective.enabled();
    }
}
