package io.runledger.model.flow;

import java.time.Instant;

/**
 * A limit as the ledger has it.
 *
 * @param inForce the values that apply: those of an operator, or the declared ones
 * @param declared the last declared values
 * @param changed whether an operator's values are in force. They outlive declarations, until they are reset
 * @param createdAt time of the first declaration
 */
public record StoredLimit(
        String name,
        KeyedBy keyedBy,
        LimitValues inForce,
        LimitValues declared,
        boolean changed,
        Instant createdAt,
        Instant updatedAt) {}
