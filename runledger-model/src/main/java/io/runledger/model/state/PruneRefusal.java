package io.runledger.model.state;

import io.runledger.model.error.RunledgerException;
import java.util.UUID;

/**
 * A job or run that was old enough to be forgotten, and that the database refused to delete: a table of the service refers to it,
 * for example. It stays with everything that belongs to it.
 *
 * @param id the job or run
 * @param refusal why it stays
 */
public record PruneRefusal(UUID id, RunledgerException refusal) {}
