package io.runledger.model.retention;

import io.runledger.model.error.RunledgerException;
import java.util.UUID;

/**
 * A job or run that the database did not delete, for example because a table of the application references it. All of
 * its rows are kept.
 *
 * @param id id of the job or run
 * @param refusal error of the database
 */
public record PruneRefusal(UUID id, RunledgerException refusal) {}
