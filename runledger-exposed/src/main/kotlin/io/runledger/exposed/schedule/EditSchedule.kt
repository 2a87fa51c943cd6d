package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.encoded
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.text.Text
import java.sql.Connection
import java.time.Instant

/** Changes the rule and the payload of a stored schedule, if it is still as the operator has read it. */
internal class EditSchedule(private val context: LedgerContext) {
    private val actions = RecordActions(context)

    fun edit(scope: Scope, edit: ScheduleEdit, reason: String?): Schedule {
        val name = edit.basis().name()
        val payload = edit.payload()?.let { context.encoded(it, "schedule ${Text.quoted(name)}") }
        val draft = ActionDraft(OperatorActionKind.SCHEDULE_EDIT, OperatorTarget.schedule(name), reason, scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                val (stored, now) = lock(connection, scope, name)
                requireEditable(stored.schedule, edit)
                edit(connection, stored, now, edit, payload, act)
            }
        }
    }

    private fun lock(connection: Connection, scope: Scope, name: String): Pair<StoredSchedule, Instant> = connection.rows(
        context.statements.scoped("schedule/schedule_lock", scope),
        {
            texts("names", listOf(name))
            scope(scope)
        },
    ) { storedSchedule() to instant("database_now") }.singleOrNull() ?: throw scheduleNotFound(name)

    private fun requireEditable(stored: Schedule, edit: ScheduleEdit) {
        val name = Text.quoted(stored.name())
        val problem = when {
            stored.kind() == ScheduleKind.POLL -> "$name is a trigger, and the workers that register it set its interval."

            stored.kind() == ScheduleKind.WORKFLOW && edit.payload() != null ->
                "Schedule $name starts a workflow, whose steps have the payloads: save the schedule with another workflow."

            else -> null
        }
        if (problem != null) throw ErrorCode.INVALID_ARGUMENT.exception(problem)
        if (stated(stored) != stated(edit.basis())) {
            throw ErrorCode.SCHEDULE_CHANGED.exception(
                "Schedule $name was changed since it was read: read it again, check its rule and payload, and edit that.",
            )
        }
    }

    /** What an edit must not overwrite unseen. The cursor is not part of it: it moves with every fire. */
    private fun stated(schedule: Schedule): List<Any?> =
        schedule.run { listOf(id(), kind(), jobType(), version()) + payloadTemplate() } +
            rule(schedule).values

    private fun rule(schedule: Schedule): Map<String, Any?> = schedule.run {
        mapOf(
            "cron" to cron(),
            "interval" to interval()?.toString(),
            "time_zone" to timeZone(),
            "misfire_policy" to misfirePolicy().wire(),
            "misfire_limit" to misfireLimit(),
            "overlap_policy" to overlapPolicy().wire(),
        )
    }

    private fun rule(edit: ScheduleEdit): Map<String, Any?> = mapOf(
        "cron" to edit.cron(),
        "interval" to edit.interval()?.toString(),
        "time_zone" to edit.timeZone(),
        "misfire_policy" to edit.misfirePolicy().wire(),
        "misfire_limit" to edit.misfireLimit(),
        "overlap_policy" to edit.overlapPolicy().wire(),
    )

    private fun edit(
        connection: Connection,
        stored: StoredSchedule,
        now: Instant,
        edit: ScheduleEdit,
        payload: Json?,
        act: Act,
    ): Schedule {
        val before = rule(stored.schedule)
        val changes = rule(edit).filter { (name, value) -> value != before[name] }
        if (changes.isEmpty() && payload == null) return stored.schedule
        val start = if (changes.keys.any { it in RHYTHM }) ScheduleStart.of(edit.rule(), now) else null
        val next = start?.let {
            JitteredRecurrence(it.recurrence, stored.schedule.id(), stored.schedule.maxJitter()).delayed(it.firstFire)
        }
        val (edited, isPayloadChanged) = connection.rows(
            context.statements["schedule/schedule_edit"],
            {
                uuid("schedule_id", stored.schedule.id())
                text("cron_expr", edit.cron())
                int("interval_seconds", edit.interval()?.toSeconds()?.toInt())
                text("timezone", edit.timeZone())
                text("misfire_policy", edit.misfirePolicy().wire())
                int("misfire_limit", edit.misfireLimit())
                text("overlap_policy", edit.overlapPolicy().wire())
                json("payload", payload)
                instant("next_fire_at", next ?: stored.schedule.nextFireAt())
                instant("anchor_at", start?.anchor ?: stored.anchor)
                text("dropped_reason", DROPPED)
            },
        ) { schedule() to getBoolean("is_payload_changed") }.single()
        act.changed(changes.isNotEmpty() || isPayloadChanged)
        act.details += changes
        changes.keys.forEach { act.details["previous_$it"] = before[it] }
        if (isPayloadChanged) act.details["payload"] = "changed"
        return edited
    }

    private companion object {
        /** The members of a rule that decide the instants. */
        val RHYTHM = setOf("cron", "interval", "time_zone")
    }
}
