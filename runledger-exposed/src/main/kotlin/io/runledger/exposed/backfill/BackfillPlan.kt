package io.runledger.exposed.backfill

import io.runledger.exposed.schedule.StoredSchedule
import io.runledger.model.schedule.BackfillPreview
import java.time.Instant

/** What is to be done with [instants] of a schedule, of which [fired] were fired before. */
internal class BackfillPlan(
    val stored: StoredSchedule,
    val instants: List<Instant>,
    val fired: Set<Instant>,
    private val includeFired: Boolean,
) {
    /** An active schedule decides the instants from its cursor on itself, as soon as a scheduler runs. */
    val pending: List<Instant> = if (stored.schedule.active()) instants.filter { it >= stored.firstDue } else emptyList()

    val toFire: List<Instant> = run {
        val left = pending.toSet()
        instants.filter { it !in left && (includeFired || it !in fired) }
    }

    val alreadyFired: Int get() = instants.count { it in fired }

    fun preview() = BackfillPreview(
        instants.size,
        alreadyFired,
        pending.count { it !in fired },
        toFire.size,
        toFire.firstOrNull(),
        toFire.lastOrNull(),
        toFire.take(BackfillPreview.SAMPLE),
    )
}
