package io.runledger.model.ledger;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A configuration document for the handlers of a job type.
 *
 * @param schemaVersion version of the document's schema
 * @param revision increases with every change; a writer passes the revision that it read
 * @param config a JSON object
 * @param updatedByUserId user of the last change, as defined by the application
 */
public record RuntimeConfig(
        String jobType,
        int schemaVersion,
        long revision,
        Json config,
        @Nullable UUID updatedByUserId,
        Instant createdAt,
        Instant updatedAt) {}
