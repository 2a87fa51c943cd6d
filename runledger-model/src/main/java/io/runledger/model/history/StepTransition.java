package io.runledger.model.history;

import java.time.Instant;

/**
 * A transition of a machine from one step to the next.
 *
 * @param runNumber run of the job that ended with the transition
 * @param at time of the transition
 * @param dueAt time at which the next step became due
 */
public record StepTransition(int runNumber, String from, String to, Instant at, Instant dueAt) {
    @Override
    public String toString() {
        return from + " -> " + to;
    }
}
