package io.runledger.exposed.control

import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.uuid
import io.runledger.model.spec.JobSelection
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import java.sql.ResultSet
import java.util.UUID

/** The order in which an index gives the jobs of one status that a selection may mean, and the statement that reads in it. */
internal enum class SelectionOrder(val statement: String, val isByType: Boolean = false) {
    /** An organization's jobs, and those that failed with a code. */
    ID("select_by_id") {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text(after.status.wire())
            uuid(after.id)
            text(after.status.wire())
            long(age)
            long(age)
        }

        override fun position(row: ResultSet, status: JobStatus) = Position(status, id = row.uuid("id"))
    },

    /** Jobs that wait, as claims read them. */
    CLAIM("select_pending", isByType = true) {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text(after.jobType)
            bool(after.isPaused)
            bool(after.isDelayed)
            int(after.priority)
            text(after.at)
            uuid(after.id)
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

    /** Jobs that run, as the reaper reads them. */
    EXPIRY("select_leased") {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text(after.at)
            uuid(after.id)
        }

        override fun position(row: ResultSet, status: JobStatus) = Position(status, at = row.getString("at"), id = row.uuid("id"))
    },

    /** Dead letters, type by type. */
    TYPE("select_dead", isByType = true) {
        override fun start(binder: Binder, after: Position, age: Long?) = with(binder) {
            text(after.jobType)
            uuid(after.id)
            long(age)
            long(age)
        }

        override fun position(row: ResultSet, status: JobStatus) =
            Position(status, row.getString("job_type"), id = row.uuid("id"))
    }, ;

    /** Sets the first parameters: where to continue, and how far back to look. */
    abstract fun start(binder: Binder, after: Position, age: Long?)

    /** Where a row lies in this order. */
    abstract fun position(row: ResultSet, status: JobStatus): Position

    companion object {
        fun of(scope: Scope, selection: JobSelection, status: JobStatus): SelectionOrder = when {
            scope.kind() == Scope.Kind.ORGANIZATION || selection.errorCode() != null -> ID
            status == JobStatus.PENDING -> CLAIM
            status == JobStatus.LEASED -> EXPIRY
            else -> TYPE
        }
    }
}

/** A place in a [SelectionOrder]; the defaults are before every job of [status]. Times are text, because some are infinite. */
internal class Position(
    val status: JobStatus,
    val jobType: String = "",
    val isPaused: Boolean = false,
    val isDelayed: Boolean = true,
    val priority: Int = Int.MAX_VALUE,
    val at: String = "-infinity",
    val id: UUID = UUID(0, 0),
)
