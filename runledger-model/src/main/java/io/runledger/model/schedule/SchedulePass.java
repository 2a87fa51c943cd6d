package io.runledger.model.schedule;

import java.util.List;

/**
 * The result of one pass over the due schedules.
 *
 * @param schedules number of handled schedules; if it equals the requested limit, more schedules may be due
 * @param fires outcome of each instant
 * @param deferred schedules that could not fire
 * @param ended names of the schedules whose cron expression has no further instant; they were paused
 */
public record SchedulePass(
        int schedules, List<ScheduleFire> fires, List<DeferredSchedule> deferred, List<String> ended) {
    public SchedulePass {
        fires = List.copyOf(fires);
        deferred = List.copyOf(deferred);
        ended = List.copyOf(ended);
    }

    /** The fires that created a job or started a run. */
    public List<ScheduleFire> fired() {
        return fires.stream()
                .filter(fire -> fire.outcome() == FireOutcome.FIRED)
                .toList();
    }

    /** The fires that were skipped because of a misfire or an overlap. */
    public List<ScheduleFire> skipped() {
        return fires.stream()
                .filter(fire -> fire.outcome() != FireOutcome.FIRED)
                .toList();
    }
}
