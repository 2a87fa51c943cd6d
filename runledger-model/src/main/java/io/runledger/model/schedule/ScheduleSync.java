package io.runledger.model.schedule;

import java.util.List;

/**
 * The result of a synchronization of schedules.
 *
 * @param synced current schedules, in the order of the request
 * @param outdated names of the schedules that are stored with a newer version; they were not written
 * @param deactivated names of the active schedules that were not in the request; they were paused
 */
public record ScheduleSync(List<Schedule> synced, List<String> outdated, List<String> deactivated) {
    public ScheduleSync {
        synced = List.copyOf(synced);
        outdated = List.copyOf(outdated);
        deactivated = List.copyOf(deactivated);
    }
}
