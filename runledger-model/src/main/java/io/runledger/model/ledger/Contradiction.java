package io.runledger.model.ledger;

import java.util.UUID;

/**
 * An inconsistency in the ledger.
 *
 * @param rule violated rule, for example {@code attempt.gap}
 * @param subject id of the job, run or step
 * @param detail description of the stored data
 */
public record Contradiction(String rule, UUID subject, String detail) {
    @Override
    public String toString() {
        return rule + " " + subject + ": " + detail;
    }
}
