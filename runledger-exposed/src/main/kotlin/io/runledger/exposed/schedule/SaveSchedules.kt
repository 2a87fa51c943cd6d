package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleSync
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant

/** Saves schedules under their names: four statements whatever their number, all of them or none. */
internal class SaveSchedules(private val context: LedgerContext) {
    fun upsert(request: ScheduleRequest, scope: Scope): Schedule = context.transactions.run { connection ->
        save(connection, listOf(request), scope, appliesActive = false).single()
    }

    fun sync(requests: List<ScheduleRequest>, scope: Scope): ScheduleSync = context.transactions.run { connection ->
        ScheduleSync(save(connection, requests, scope, appliesActive = true), emptyList())
    }

    fun syncExactly(requests: List<ScheduleRequest>, names: Set<String>, scope: Scope): ScheduleSync {
        val given = requests.map { it.name() }
        (given - names).firstOrNull()?.let {
            throw ErrorCode.INVALID_ARGUMENT.exception("Schedule ${Text.quoted(it)} is not among the names to sync: add it.")
        }
        return context.transactions.run { connection ->
            val synced = save(connection, requests, scope, appliesActive = true)
            ScheduleSync(synced, deactivate(connection, names - given.toSet(), scope))
        }
    }

    private fun deactivate(connection: Connection, names: Set<String>, scope: Scope): List<String> {
        if (names.isEmpty()) return emptyList()
        val bind: Binder.() -> Unit = {
            texts(names.toList())
            scope(scope)
        }
        // Locked in name order first: an update alone locks in the order it finds them.
        connection.rows(context.statements.scoped("schedule_lock", scope), bind) {}
        return connection.rows(context.statements.scoped("schedule_deactivate", scope), bind) { getString("name") }.sorted()
    }

    private fun save(
        connection: Connection,
        requests: List<ScheduleRequest>,
        scope: Scope,
        appliesActive: Boolean,
    ): List<Schedule> {
        if (requests.isEmpty()) return emptyList()
        requests.forEach { requireInside(it, scope) }
        requireDistinct(requests)
        val definitions = Definitions.lock(connection, context, requests)
        val drafts = requests.sortedBy { it.name() }.map { ScheduleDraft.of(it, payload(it), definitions.now) }
        val inserted = connection.rows(context.statements["schedule_insert"], { drafts(drafts) }) { schedule() }
        val taken = inserted.mapTo(HashSet()) { it.name() }
        val updated = overwrite(connection, drafts.filter { it.request.name() !in taken }, scope, appliesActive)
        val saved = (inserted + updated).associateBy { it.name() }
        saved.values.firstOrNull { it.active() && !definitions.isEnabled(it.jobType()) }?.let { throw unavailableDefinition(it) }
        return requests.map { saved.getValue(it.name()) }
    }

    private fun overwrite(
        connection: Connection,
        drafts: List<ScheduleDraft>,
        scope: Scope,
        appliesActive: Boolean,
    ): List<Schedule> {
        if (drafts.isEmpty()) return emptyList()
        val bind: Binder.() -> Unit = {
            texts(drafts.map { it.request.name() })
            scope(scope)
        }
        val stored = connection.rows(context.statements.scoped("schedule_lock", scope), bind) {
            storedSchedule() to instant("database_now")
        }.associateBy { (stored, _) -> stored.schedule.name() }
        val merged = drafts.map { draft ->
            val (existing, now) = stored[draft.request.name()] ?: throw notSaved(connection, draft.request)
            draft.over(existing, appliesActive, now)
        }
        return connection.rows(context.statements["schedule_update"], { drafts(merged) }) { schedule() }
    }

    /** A name that is neither free nor in the scope: somebody else's, which is left alone, or one that went meanwhile. */
    private fun notSaved(connection: Connection, request: ScheduleRequest): RunledgerException {
        val everywhere = context.statements.scoped("schedule_get", Scope.everything())
        return if (connection.row(everywhere, { named(request.name(), Scope.everything()) }) {} == null) {
            ErrorCode.DB_CONTENTION.exception(
                "Schedule ${Text.quoted(request.name())} was deleted while it was being saved: try again.",
            )
        } else {
            nameTaken(request)
        }
    }

    private fun payload(request: ScheduleRequest): Json {
        val payload = request.payload().encode(context.codec)
        val size = Text.utf8Length(payload.text())
        if (size > context.maxPayloadBytes) {
            throw ErrorCode.PAYLOAD_TOO_LARGE.exception(
                "The payload of schedule ${Text.quoted(request.name())} is $size bytes: " +
                    "the ledger takes ${context.maxPayloadBytes}. " +
                    "Store it elsewhere and pass a reference, or raise the client's limit.",
            )
        }
        return payload
    }

    private fun requireInside(request: ScheduleRequest, scope: Scope) {
        if (!scope.covers(request.organizationId())) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Schedule ${Text.quoted(request.name())} lies outside the scope of the call ($scope): " +
                    "use the scope of its organization.",
            )
        }
    }

    private fun requireDistinct(requests: List<ScheduleRequest>) {
        val seen = HashSet<String>()
        requests.firstOrNull { !seen.add(it.name()) }?.let {
            throw ErrorCode.INVALID_SCHEDULE_NAME.exception(
                "Schedule ${Text.quoted(it.name())} is given twice: give each name once.",
            )
        }
    }

    private fun nameTaken(request: ScheduleRequest) = ErrorCode.DB_UNIQUE.exception(
        "The schedule name ${Text.quoted(request.name())} is taken by a schedule outside the scope of the call: " +
            "names are unique across " +
            "organizations, choose another.",
    )

    /** The definitions behind the schedules to be saved, locked against being disabled, and the clock after the wait. */
    private class Definitions private constructor(private val enabled: Map<String, Boolean>, val now: Instant) {
        fun isEnabled(jobType: String): Boolean = enabled[jobType] == true

        companion object {
            fun lock(connection: Connection, context: LedgerContext, requests: List<ScheduleRequest>): Definitions {
                val types = requests.map { it.jobType() }.distinct()
                val found = connection.rows(context.statements["schedule_definitions"], { texts(types) }) {
                    Triple(getString("job_type"), getBoolean("is_enabled"), instant("database_now"))
                }
                val enabled = found.associate { (type, isEnabled, _) -> type to isEnabled }
                requests.firstOrNull { it.jobType() !in enabled }?.let { throw unavailableDefinition(it.name(), it.jobType()) }
                return Definitions(enabled, found.maxOf { it.third })
            }
        }
    }
}
