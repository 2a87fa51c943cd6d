package io.runledger.exposed.control

import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.isStorable
import io.runledger.model.error.ErrorCode
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.value.SettingRules
import java.time.Duration
import java.time.Instant

/** A change of a waiting job: its time or its priority. */
internal sealed class WaitingChange(
    val kind: OperatorActionKind,
    val statement: String,
    /** What the record of the action says about it. */
    val facts: Map<String, Any>,
) {
    /** Whether the change depends on the state of the job, so that it must not be made twice. */
    open val isRelative: Boolean get() = false

    abstract fun bind(binder: Binder)

    object RunNow : WaitingChange(OperatorActionKind.JOB_RUN_NOW, "control/reschedule", emptyMap()) {
        override fun bind(binder: Binder) = binder.instant("at", null)
    }

    class Reschedule(private val at: Instant) :
        WaitingChange(OperatorActionKind.JOB_RESCHEDULE, "control/reschedule", mapOf("next_run_at" to at.toString())) {
        init {
            if (!at.isStorable()) {
                throw ErrorCode.INVALID_ARGUMENT.exception(
                    "PostgreSQL cannot store the time ($at): give an instant before the year 294277.",
                )
            }
        }

        override fun bind(binder: Binder) = binder.instant("at", at)
    }

    /** From the time at which the job is due. */
    class Snooze(private val by: Duration) :
        WaitingChange(OperatorActionKind.JOB_RESCHEDULE, "control/snooze", mapOf("snoozed_by" to by.toString())) {
        override val isRelative: Boolean get() = true

        init {
            SettingRules.refuse(ErrorCode.INVALID_ARGUMENT, SettingRules.windowProblem("The duration of the snooze", by))
        }

        override fun bind(binder: Binder) = binder.long("by_us", by.toMicros())
    }

    class Reprioritize(private val priority: Int) :
        WaitingChange(OperatorActionKind.JOB_REPRIORITIZE, "control/reprioritize", mapOf("priority" to priority)) {
        override fun bind(binder: Binder) = binder.int("priority", priority)
    }
}
