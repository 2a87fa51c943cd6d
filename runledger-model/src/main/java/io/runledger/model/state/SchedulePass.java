package io.runledger.model.state;

import java.util.List;

/**
 * What one pass over the due schedules did.
 *
 * @param schedules how many due schedules it handled; as many as asked for means that more may be due
 * @param fires what became of each instant
 * @param deferred the schedules that could not fire
 * @param ended names of the schedules whose cron expression has no further instant; they are paused now
 */
public record SchedulePass(
        int schedules, List<ScheduleFire> fires, List<DeferredSchedule> deferred, List<String> ended) {
    /**
     * Copies the lists.
     *
     * @param schedules see the record
     * @param fires see the record
     * @param deferred see the record
     * @param ended see the record
     */
    public SchedulePass {
        fires = List.copyOf(fires);
        deferred = List.copyOf(deferred);
        ended = List.copyOf(ended);
    }

    /**
     * The instants that made a job or started a run.
     *
     * @return part of {@link #fires()}
     */
    public List<ScheduleFire> fired() {
        return fires.stream()
                .filter(fire -> fire.outcome() == FireOutcome.FIRED)
                .toList();
    }

    /**
     * The instants that were skipped, missed or overlapping.
     *
     * @return the rest of {@link #fires()}
     */
    public List<ScheduleFire> skipped() {
        return fires.stream()
                .filter(fire -> fire.outcome() != FireOutcome.FIRED)
                .toList();
    }
}
