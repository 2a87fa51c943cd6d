package io.runledger.model.state;

import java.util.List;

/**
 * What a sync of schedules did.
 *
 * @param synced the schedules as they now are, in the order they were given
 * @param outdated names of the given schedules that are stored with a newer version: nothing of them was written
 * @param deactivated names of the schedules that were active, were not given, and are paused now
 */
public record ScheduleSync(List<Schedule> synced, List<String> outdated, List<String> deactivated) {
    /**
     * Copies the lists.
     *
     * @param synced see the record
     * @param outdated see the record
     * @param deactivated see the record
     */
    public ScheduleSync {
        synced = List.copyOf(synced);
        outdated = List.copyOf(outdated);
        deactivated = List.copyOf(deactivated);
    }
}
