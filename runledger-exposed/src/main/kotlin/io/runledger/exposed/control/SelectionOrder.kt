package io.runledger.exposed.control

import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.uuid
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.ResultSet
import java.util.UUID

/** The order in which an index returns the candidates of one status, and the statement that reads them in that order. */
internal enum class SelectionOrder(val statement: String, val isByType: Boolean = false) {
    /** By id: the jobs of an organization, the jobs that failed with an error code, and the live jobs of a queue. */
    ID("control/select_by_id") {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text("status", after.status.wire())
            uuid("after_id", after.id)
            long("age_us", age)
        }

        override fun position(row: ResultSet, status: JobStatus) = Position(status, id = row.uuid("id"))
    },

    /** Waiting jobs, in the order of a claim. */
    CLAIM("control/select_pending", isByType = true) {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text("after_type", after.jobType)
            bool("after_paused", after.isPaused)
            bool("after_delayed", after.isDelayed)
            int("after_priority", after.priority)
            text("after_time", after.at)
            uuid("after_id", after.id)
        }

        override fun position(row: ResultSet, status: JobStatus) = Position(
            status,
            row.getString("job_type"),
            row.getBoolean("is_paused"),
            row.getBoolean("is_delayed"),
            row.getInt("priority"),
            row.getString("at"),
            row.uuid("id"),
        )
    },

    /** Running jobs, in the order in which the reaper reads them. */
    EXPIRY("control/select_leased") {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text("after_time", after.at)
            uuid("after_id", after.id)
        }

        override fun position(row: ResultSet, status: JobStatus) = Position(status, at = row.getString("at"), id = row.uuid("id"))
    },

    /** Dead letters, one type after another. */
    TYPE("control/select_dead", isByType = true) {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text("after_type", after.jobType)
            uuid("after_id", after.id)
            long("age_us", age)
        }

        override fun position(row: ResultSet, status: JobStatus) =
            Position(status, row.getString("job_type"), id = row.uuid("id"))
    }, ;

    /** Binds the position to continue after and, if the statement has it, the minimum age. */
    abstract fun start(binder: Binder, after: Position, age: Long?)

    /** The position of a row in this order. */
    abstract fun position(row: ResultSet, status: JobStatus): Position

    companion object {
        /** Jobs of these statuses have no end, so the index of queues contains them. */
        val LIVE = setOf(JobStatus.PENDING, JobStatus.LEASED)

        fun of(scope: Scope, selection: JobSelection, status: JobStatus): SelectionOrder = when {
            scope.kind() == Scope.Kind.ORGANIZATION || selection.errorCode() != null -> ID
            selection.queue() != null && status in LIVE -> ID
            status == JobStatus.PENDING -> CLAIM
            status == JobStatus.LEASED -> EXPIRY
            else -> TYPE
        }
    }
}

/** A position in a [SelectionOrder]. The defaults precede every job of [status]. Times are text, because some are infinite. */
internal class Position(
    val status: JobStatus,
    val jobType: String = "",
    val isPaused: Boolean = false,
    val isDelayed: Boolean = true,
    val priority: Int = Int.MAX_VALUE,
    val at: String = "-infinity",
    val id: UUID = UUID(0, 0),
)
