package io.runledger.model.state;

import java.util.UUID;

/**
 * Two things in the ledger that cannot both be true.
 *
 * @param rule which rule is broken, for example {@code attempt.gap}
 * @param subject the job, run or step it is about
 * @param detail what the ledger says, in words
 */
public record Contradiction(String rule, UUID subject, String detail) {
    @Override
    public String toString() {
        return rule + " " + subject + ": " + detail;
    }
}
