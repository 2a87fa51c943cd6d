package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.schedule.ScheduleSync
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.Headers
import io.runledger.model.workflow.JobStep
import java.sql.Connection
import java.time.Instant

/** Saves schedules under their names with four statements, whatever their number. Saves all of them or none. */
internal class SaveSchedules(private val context: LedgerContext) {
    fun upsert(scope: Scope, request: ScheduleRequest): Schedule = context.transactions.run { connection ->
        save(connection, listOf(request), scope, appliesActive = false).schedules.single()
    }

    fun sync(scope: Scope, requests: List<ScheduleRequest>): ScheduleSync = context.transactions.run { connection ->
        val saved = save(connection, requests, scope, appliesActive = true)
        ScheduleSync(saved.schedules, saved.outdated, emptyList())
    }

    fun syncExactly(scope: Scope, requests: List<ScheduleRequest>, names: Set<String>): ScheduleSync {
        val given = requests.map { it.name() }
        (given - names).firstOrNull()?.let {
            throw ErrorCode.INVALID_ARGUMENT.exception("Schedule ${Text.quoted(it)} is not among the names to sync: add it.")
        }
        return context.transactions.run { connection ->
            val saved = save(connection, requests, scope, appliesActive = true)
            ScheduleSync(saved.schedules, saved.outdated, deactivate(connection, names - given.toSet(), scope))
        }
    }

    private fun deactivate(connection: Connection, names: Set<String>, scope: Scope): List<String> {
        if (names.isEmpty()) return emptyList()
        // Locks the rows in name order first: an update alone would lock them in the order in which it finds them.
        val locked = connection.rows(
            context.statements.scoped("schedule/schedule_lock", scope),
            {
                texts("names", names.toList())
                scope(scope)
            },
        ) { storedSchedule() to instant("database_now") }
        return connection.rows(
            context.statements["schedule/schedule_deactivate"],
            {
                uuids("schedule_ids", locked.map { (stored, _) -> stored.schedule.id() })
                instants("next_fire_at", locked.map { (stored, now) -> stored.cursorWhilePaused(now) })
                text("dropped_reason", DROPPED)
                text("pause_reason", "A sync did not list the schedule.")
            },
        ) { getString("name") }.sorted()
    }

    private fun save(connection: Connection, requests: List<ScheduleRequest>, scope: Scope, appliesActive: Boolean): Saved {
        if (requests.isEmpty()) return Saved(emptyList(), emptyList())
        requests.forEach { requireInside(it, scope) }
        requireDistinct(requests)
        val definitions = Definitions.lock(connection, context, requests)
        val drafts = requests.sortedBy { it.name() }.map { ScheduleDraft.of(it, work(it), definitions.now) }
        val inserted = connection.rows(context.statements["schedule/schedule_insert"], { drafts(drafts) }) { schedule() }
        val taken = inserted.mapTo(HashSet()) { it.name() }
        val updated = overwrite(connection, drafts.filter { it.request.name() !in taken }, scope, appliesActive)
        val saved = (inserted + updated).associateBy { it.name() }
        val (outdated, current) = requests.partition { it.version() < saved.getValue(it.name()).version() }
        current.filter { saved.getValue(it.name()).active() }.forEach(definitions::requireEnabled)
        return Saved(requests.map { saved.getValue(it.name()) }, outdated.map { it.name() })
    }

    private fun overwrite(
        connection: Connection,
        drafts: List<ScheduleDraft>,
        scope: Scope,
        appliesActive: Boolean,
    ): List<Schedule> {
        if (drafts.isEmpty()) return emptyList()
        val bind: Binder.() -> Unit = {
            texts("names", drafts.map { it.request.name() })
            scope(scope)
        }
        val stored = connection.rows(context.statements.scoped("schedule/schedule_lock", scope), bind) {
            storedSchedule() to instant("database_now")
        }.associateBy { (stored, _) -> stored.schedule.name() }
        val (outdated, current) = drafts.map { draft ->
            val (existing, now) = stored[draft.request.name()] ?: throw notSaved(connection, draft.request)
            if (existing.schedule.kind() == ScheduleKind.POLL) throw nameOfTrigger(draft.request)
            Overwriting(draft, existing, now)
        }.partition { it.isOutdated }
        val kept = outdated.map { it.existing.schedule }
        if (current.isEmpty()) return kept
        val merged = current.map { it.draft.overwriting(it.existing, appliesActive, it.now) }
        return kept + connection.rows(
            context.statements["schedule/schedule_update"],
            {
                drafts(merged)
                bools("declared_is_active", merged.map { it.declaredActive })
                text("switch_reason", "A sync changed the schedule.")
                text("dropped_reason", DROPPED)
            },
        ) { schedule() }
    }

    /** The error for a name that is neither free nor in the scope: it belongs to another scope, or was deleted meanwhile. */
    private fun notSaved(connection: Connection, request: ScheduleRequest): RunledgerException {
        val everywhere = context.statements.scoped("schedule/schedule_get", Scope.everything())
        return if (connection.row(everywhere, { named(Scope.everything(), request.name()) }) {} == null) {
            ErrorCode.DB_CONTENTION.exception(
                "Schedule ${Text.quoted(request.name())} was deleted while it was being saved: try again.",
            )
        } else {
            nameTaken(request)
        }
    }

    private fun work(request: ScheduleRequest) = ScheduledWork(
        context.encoded(request.payload(), "schedule ${Text.quoted(request.name())}"),
        request.workflow()?.let { ScheduledWorkflow.storedForm(it, context) },
        headers(request).storedHeaders(),
    )

    private fun headers(request: ScheduleRequest): Map<String, String> {
        val own = Headers.merged(request.headers(), request.workflow()?.headers().orEmpty())
        return context.headers.enqueued(own, HeaderSource.Kind.SCHEDULE, request.name())
    }

    private fun requireInside(request: ScheduleRequest, scope: Scope) {
        if (!scope.covers(request.organizationId())) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Schedule ${Text.quoted(request.name())} is outside the scope of the call ($scope): " +
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

    private fun nameOfTrigger(request: ScheduleRequest) = ErrorCode.DB_UNIQUE.exception(
        "The name ${Text.quoted(request.name())} is taken by a trigger, and names are unique across triggers and schedules: " +
            "choose another name.",
    )

    private fun nameTaken(request: ScheduleRequest) = ErrorCode.DB_UNIQUE.exception(
        "The schedule name ${Text.quoted(request.name())} is taken by a schedule outside the scope of the call: " +
            "names are unique across organizations. Choose another name.",
    )

    private class Saved(val schedules: List<Schedule>, val outdated: List<String>)

    /** A request for a schedule that exists and is locked. */
    private class Overwriting(val draft: ScheduleDraft, val existing: StoredSchedule, val now: Instant) {
        /** Whether the stored schedule has a newer version and is kept. */
        val isOutdated: Boolean get() = draft.request.version() < existing.schedule.version()
    }

    /** The definitions that the schedules need, locked against being disabled, and the clock after the wait for the locks. */
    private class Definitions private constructor(private val enabled: Map<String, Boolean>, val now: Instant) {
        fun requireEnabled(request: ScheduleRequest) {
            request.jobTypes.firstOrNull { enabled[it] != true }?.let { throw unavailableDefinition(request.name(), it) }
        }

        companion object {
            fun lock(connection: Connection, context: LedgerContext, requests: List<ScheduleRequest>): Definitions {
                val types = requests.flatMap { it.jobTypes }.distinct()
                val found = connection.rows(context.statements["schedule/schedule_definitions"], { texts("job_types", types) }) {
                    Triple(getString("job_type"), getBoolean("is_enabled"), instant("database_now"))
                }
                val enabled = found.associate { (type, isEnabled, _) -> type to isEnabled }
                requests.forEach { request ->
                    request.jobTypes.firstOrNull { it !in enabled }?.let { throw unavailableDefinition(request.name(), it) }
                }
                return Definitions(enabled, found.maxOfOrNull { it.third } ?: now(connection, context))
            }

            /** For schedules without a job: workflows that consist of gates only. */
            private fun now(connection: Connection, context: LedgerContext): Instant =
                checkNotNull(connection.row(context.statements["schedule/database_now"]) { instant("database_now") })

            private val ScheduleRequest.jobTypes: List<String>
                get() = jobType()?.let(::listOf)
                    ?: workflow()!!.steps().filterIsInstance<JobStep>().map { it.jobType() }.distinct()
        }
    }
}
