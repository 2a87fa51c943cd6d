package io.runledger.model.definition;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobSettings;

/**
 * New defaults of a job type, set by an operator. They override the declaration.
 *
 * @param settings values that are null are not changed. A retry policy also applies to queued jobs that have none of
 *     their own; {@code RetryPolicy.standard()} restores the default
 */
public record DefinitionChange(JobSettings settings) {
    /** @throws InvalidRequestException with the code of the first invalid value */
    public DefinitionChange {
        settings.requireValid();
        if (!settings.flow().isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A change of a job type cannot set a flow: change the limit, the queue or the declaration.");
        }
    }

    /** Starts a change that keeps every default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a change. Settings that are not set are not changed. */
    public static final class Builder extends JobSettings.Builder<Builder> {
        private Builder() {}

        /** @throws InvalidRequestException with the code of the first invalid value */
        public DefinitionChange build() {
            return new DefinitionChange(settings());
        }
    }
}
