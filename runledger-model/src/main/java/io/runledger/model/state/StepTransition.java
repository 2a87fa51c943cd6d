package io.runledger.model.state;

import java.time.Instant;

/**
 * A machine's way from one of its steps to the next, as its story tells it.
 *
 * @param runNumber the run of the job that ended with it
 * @param from the step that ended
 * @param to the step that followed
 * @param at when it was written
 * @param dueAt when the following step became due
 */
public record StepTransition(int runNumber, String from, String to, Instant at, Instant dueAt) {
    /** Reads as the path does. */
    @Override
    public String toString() {
        return from + " -> " + to;
    }
}
