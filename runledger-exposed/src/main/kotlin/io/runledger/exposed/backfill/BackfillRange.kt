package io.runledger.exposed.backfill

import io.runledger.exposed.schedule.StoredSchedule
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.text.Text
import java.time.Instant

/** A range of the past, from [from] until before [until]. */
internal class BackfillRange(val from: Instant, val until: Instant) {
    init {
        if (from >= until) throw invalid("It begins at $from and ends at $until: the end must be later.")
        if (from < EARLIEST) throw invalid("It begins at $from: give an instant from 1970 on.")
    }

    /**
     * The part of the range before [now], by the database's clock. A range that ends later is refused, unless it ends so little
     * later that the caller's clock can be the reason.
     */
    fun before(now: Instant): BackfillRange = when {
        until <= now -> this
        from < now && until <= now + ScheduleFire.GRACE -> BackfillRange(from, now)
        else -> throw invalid("It ends at $until, and it is $now: the schedule fires later instants itself.")
    }

    /** The instants of [stored] in the range. Refuses a range with too many. */
    fun instantsOf(stored: StoredSchedule): List<Instant> {
        val name = Text.quoted(stored.schedule.name())
        if (stored.schedule.kind() == ScheduleKind.POLL) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "$name is a trigger: a poll finds what is there now, so polls of the past cannot be made up for.",
            )
        }
        val most = BackfillReport.MOST_INSTANTS
        val instants = stored.firesBetween(from, until, most)
        if (instants.size > most) {
            throw ErrorCode.BACKFILL_TOO_LARGE.exception(
                "Schedule $name has more than $most instants from $from until $until: backfill shorter ranges, one after the " +
                    "other.",
            )
        }
        return instants
    }

    private fun invalid(problem: String) = ErrorCode.INVALID_BACKFILL_RANGE.exception("The range cannot be backfilled. $problem")

    private companion object {
        val EARLIEST: Instant = Instant.EPOCH
    }
}
