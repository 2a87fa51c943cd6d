package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Payload;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A settings document to be written for the handlers of one job type.
 *
 * @param jobType the job type
 * @param config the document; must become a JSON object
 * @param schemaVersion the document's own version, 1 or more
 * @param expectedRevision the revision that was read and is to be replaced, or null when there is no document yet
 * @param updatedByUserId who writes, in the host's own terms, or null
 */
public record RuntimeConfigRequest(
        String jobType,
        Payload config,
        int schemaVersion,
        @Nullable Long expectedRevision,
        @Nullable UUID updatedByUserId) {
    /**
     * Checks every value.
     *
     * @param jobType see the record
     * @param config see the record
     * @param schemaVersion see the record
     * @param expectedRevision see the record
     * @param updatedByUserId see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
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
                            + ": revisions start at 1; leave it out to write the first one.");
        }
    }

    /**
     * The first document of a job type, in its version 1.
     *
     * @param jobType the job type
     * @param config an object the client's codec turns into a JSON object, or such a {@code Json}
     * @return the request
     * @throws InvalidRequestException with {@code job.invalid_job_type} when the type is not valid
     */
    public static RuntimeConfigRequest of(String jobType, Object config) {
        return new RuntimeConfigRequest(jobType, Payload.of(config), 1, null, null);
    }

    /**
     * Says that the document replaces one that was read.
     *
     * @param revision its revision
     * @return a copy that expects that revision
     */
    public RuntimeConfigRequest replacing(long revision) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, revision, updatedByUserId);
    }

    /**
     * Sets the document's own version.
     *
     * @param schemaVersion 1 or more
     * @return a copy with that version
     */
    public RuntimeConfigRequest withSchemaVersion(int schemaVersion) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, expectedRevision, updatedByUserId);
    }

    /**
     * Says who writes.
     *
     * @param userId the user, in the host's own terms
     * @return a copy with that user
     */
    public RuntimeConfigRequest by(UUID userId) {
        return new RuntimeConfigRequest(jobType, config, schemaVersion, expectedRevision, userId);
    }
}
