package io.runledger.model.schedule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a backfill of a range would do now. Nothing is changed by the preview.
 *
 * @param instants all instants of the schedule in the range
 * @param alreadyFired instants that the schedule or an earlier backfill has fired, by the history of the schedule
 * @param pending instants that the active schedule has still to decide; a backfill leaves them to it
 * @param toFire instants that the backfill would fire
 * @param first the first instant that it would fire, or null if there is none
 * @param last the last instant that it would fire, or null if there is none
 * @param sample the first instants that it would fire, at most {@value #SAMPLE}
 */
public record BackfillPreview(
        int instants,
        int alreadyFired,
        int pending,
        int toFire,
        @Nullable Instant first,
        @Nullable Instant last,
        List<Instant> sample) {
    /** The maximum size of {@code sample}. */
    public static final int SAMPLE = 10;

    public BackfillPreview {
        sample = List.copyOf(sample);
    }
}
