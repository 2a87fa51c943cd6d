package io.runledger.model.fleet;

import io.runledger.model.flow.KeyedBy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a ledger, for the whole fleet of its workers. Every count stops at the {@code limit}: a count that has
 * reached it means "at least".
 *
 * @param limit where each count stops
 * @param types every defined job type, in order of type
 * @param expiredLeases expired leases that were not reaped yet
 * @param longestExpiry time since the earliest of these expiries, or null if there is none
 * @param workers the registered workers
 * @param lateSchedules active schedules and triggers that have been due for more than a minute and were not handled
 * @param longestLateness time since the first of these was due, or null if there is none
 * @param openRuns workflow runs that have not ended
 * @param waitingGates gates that wait to be completed
 * @param longestGateWait time that the first of these gates has waited, or null if there is none
 * @param limits the first {@value #MOST_NAMES} limits, in order of name
 * @param queues the first {@value #MOST_NAMES} named queues, in order of name
 */
public record FleetMetrics(
        int limit,
        List<TypeLoad> types,
        long expiredLeases,
        @Nullable Duration longestExpiry,
        Workers workers,
        long lateSchedules,
        @Nullable Duration longestLateness,
        long openRuns,
        long waitingGates,
        @Nullable Duration longestGateWait,
        List<LimitLoad> limits,
        List<QueueLoad> queues) {
    /** The most limits, and the most queues. */
    public static final int MOST_NAMES = 100;

    public FleetMetrics {
        types = List.copyOf(types);
        limits = List.copyOf(limits);
        queues = List.copyOf(queues);
    }

    /**
     * The live jobs of a type.
     *
     * @param due jobs that can be claimed now
     * @param scheduled jobs that are due later
     * @param paused jobs of paused runs, and due jobs of a paused type
     * @param running leased jobs; of all types together at most the limit is counted
     * @param deadLetters dead letters that wait for an operator
     * @param oldestDue how long the oldest due job has waited, or null if no job is due; exact for up to 100 different
     *     priorities
     * @param isCapped whether one of the counts has reached the limit
     */
    public record TypeLoad(
            String jobType,
            long due,
            long scheduled,
            long paused,
            long running,
            long deadLetters,
            @Nullable Duration oldestDue,
            boolean isCapped) {}

    /**
     * The use of a limit, of all its keys together.
     *
     * @param permits jobs that run at once, for a limit by key or by organization those of each; null if they are not
     *     limited
     * @param inUse running jobs of the limit
     * @param waiting due jobs that wait, for a permit or for something else
     * @param isCapped whether more jobs may wait: of each job type, as many are looked at as the limit of the counts says
     */
    public record LimitLoad(
            String name, KeyedBy keyedBy, @Nullable Integer permits, long inUse, long waiting, boolean isCapped) {}

    /**
     * The live jobs of a named queue.
     *
     * @param waiting waiting jobs, also those that are due later
     * @param oldestDue how long the oldest due job has waited, of those that were counted; null if none is due
     * @param isPaused whether an operator has paused the queue
     * @param isCapped whether the waiting jobs have reached the limit of the counts
     */
    public record QueueLoad(
            String name,
            long waiting,
            long running,
            @Nullable Duration oldestDue,
            boolean isPaused,
            boolean isCapped) {}

    /**
     * The workers by state, as of their last heartbeats.
     *
     * @param working workers that claim jobs
     * @param draining workers under a drain order, with or without running jobs
     * @param stopping workers that shut down
     * @param lost workers that have missed three heartbeats; they count only here
     * @param slots maximum number of concurrent jobs
     * @param busySlots running jobs
     * @param heldJobs jobs that were claimed ahead and wait for a slot
     */
    public record Workers(
            long working, long draining, long stopping, long lost, long slots, long busySlots, long heldJobs) {
        /** Workers that are not lost. */
        public long alive() {
            return working + draining + stopping;
        }
    }
}
