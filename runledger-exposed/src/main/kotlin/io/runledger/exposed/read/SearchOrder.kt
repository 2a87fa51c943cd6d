package io.runledger.exposed.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.uuid
import io.runledger.exposed.sql.isStorable
import io.runledger.model.job.JobSummary
import java.time.Instant
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.util.UUID

/** An order of a search, with the statement that reads candidates in it. */
internal enum class SearchOrder(val candidates: String, val ofCandidates: String, val ofJobs: String) {
    NEWEST("read/job_candidates", "id DESC", "job.id DESC") {
        override fun cursor(place: SearchPlace): String = Cursor.after(place.id)
    },

    CLAIM(
        "read/job_candidates_waiting",
        "priority DESC, next_run_at, id",
        "job.priority DESC, job.next_run_at, job.id",
    ) {
        override fun cursor(place: SearchPlace): String = place.text()
    }, ;

    abstract fun cursor(place: SearchPlace): String

    fun cursor(last: JobSummary): String = cursor(SearchPlace(last.id(), last.priority(), last.nextRunAt()))
}

/** The place of a waiting job in the order of claims. A due time can be infinite, which is an instant that cannot be stored. */
internal class SearchPlace(val id: UUID, val priority: Int, val due: Instant) {
    /** As the driver takes it, for which the first and the last time are infinite. */
    val dueTime: OffsetDateTime
        get() = when {
            due.isStorable() -> due.atOffset(ZoneOffset.UTC)
            due > Instant.EPOCH -> OffsetDateTime.MAX
            else -> OffsetDateTime.MIN
        }

    fun text(): String = Cursor.write(priority.toLong(), micros(), id.mostSignificantBits, id.leastSignificantBits)

    private fun micros(): Long = when {
        due.isStorable() -> Cursor.micros(due)
        due > Instant.EPOCH -> Long.MAX_VALUE
        else -> Long.MIN_VALUE
    }

    companion object {
        fun read(text: String): SearchPlace {
            val values = Cursor.values(text, VALUES)
            val priority = values.get()
            if (priority !in Int.MIN_VALUE..Int.MAX_VALUE) throw Cursor.unknown()
            val due = when (val micros = values.get()) {
                Long.MAX_VALUE -> Instant.MAX
                Long.MIN_VALUE -> Instant.MIN
                else -> Cursor.instant(micros)
            }
            return SearchPlace(values.uuid(), priority.toInt(), due)
        }

        private const val VALUES = 4
    }
}
