package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A settings document for the handlers of one job type.
 *
 * @param jobType the job type
 * @param schemaVersion the document's own version
 * @param revision grows with every change; a writer names the revision it read
 * @param config the document, a JSON object
 * @param updatedByUserId who changed it last, in the host's own terms
 * @param createdAt when it was first written
 * @param updatedAt when it last changed
 */
public record RuntimeConfig(
        String jobType,
        int schemaVersion,
        long revision,
        Json config,
        @Nullable UUID updatedByUserId,
        Instant createdAt,
        Instant updatedAt) {}
