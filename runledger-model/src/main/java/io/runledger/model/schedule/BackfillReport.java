package io.runledger.model.schedule;

/**
 * What a backfill has done.
 *
 * @param instants all instants of the schedule in the range
 * @param fired jobs created, or runs started
 * @param alreadyFired instants that were left out, because the schedule or another backfill has fired them
 * @param pending instants that were left to the active schedule, which has still to decide them
 */
public record BackfillReport(int instants, int fired, int alreadyFired, int pending) {
    /** The maximum number of instants in the range of a backfill. */
    public static final int MOST_INSTANTS = 10_000;
}
