package io.runledger.model.ledger;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Payload;
import io.runledger.model.value.Identifier;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to write the configuration document for the handlers of a job type.
 *
 * @param config must be encoded as a JSON object
 * @param schemaVersion version of the document's schema, 1 or more
 * @param expectedRevision revision to be replaced, or null if there is no document yet
 * @param updatedByUserId user of the change, as defined by the application, or null
 */
public record RuntimeConfigRequest(
        String jobType,
        Payload config,
        int schemaVersion,
        @Nullable Long expectedRevision,
        @Nullable UUID updatedByUserId) {
    /** @throws InvalidRequestException with the code of the first invalid value */
    public RuntimeConfigRequest {
        Identifier.JOB_TYPE.require(jobType);
        Objects.requireNonNull(config, "config");
        if (schemaVersion < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "schemaVersion is " + schemaVersion + ": versions start at 1.");
        }
        if (expectedRevision != null && expectedRevision < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "expectedRevision is " + expectedRevision
                            + ": revisions start at 1; use null to write the first revision.");
        }
    }

    /**
     * The first document of a job type, with schema version 1.
     *
     * @param config {@code Json}, or an object that the codec encodes; must be a JSON object
     * @throws InvalidRequestException with {@code job.invalid_job_type} if the type is not valid
     */
    public static RuntimeConfigRequest of(String jobType, Object config) {
        return new RuntimeConfigRequest(jobType, Payload.of(config), 1, null, null);
    }

    /** Returns a copy that replaces the document with this revision. */
    public RuntimeConfigRequest replacing(long revision) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, revision, updatedByUserId);
    }

    /**
     * Returns a copy with another schema version.
     *
     * @param schemaVersion 1 or more
     */
    public RuntimeConfigRequest withSchemaVersion(int schemaVersion) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, expectedRevision, updatedByUserId);
    }

    /**
     * Returns a copy with the user of the change.
     *
     * @param userId user, as defined by the application
     */
    public RuntimeConfigRequest by(UUID userId) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, expectedRevision, userId);
    }
}
