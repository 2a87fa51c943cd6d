package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.encoded
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
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleKind
import io.runledger.model.state.ScheduleSync
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant

/** Saves schedules under their names: four statements whatever their number, all of them or none. */
internal class SaveSchedules(private val context: LedgerContext) {
    fun upsert(request: ScheduleRequest, scope: Scope): Schedule = context.transactions.run { connection ->
        save(connection, listOf(request), scope, appliesActive = false).schedules.single()
    }

    fun sync(requests: List<ScheduleRequest>, scope: Scope): ScheduleSync = context.transactions.run { connection ->
        val saved = save(connection, requests, scope, appliesActive = true)
        ScheduleSync(saved.schedules, saved.outdated, emptyList())
    }

    fun syncExactly(requests: List<ScheduleRequest>, names: Set<String>, scope: Scope): ScheduleSync {
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
        // Locked in name order first: an update alone locks in the order it finds them.
        val locked = connection.rows(
            context.statements.scoped("schedule_lock", scope),
            {
                texts(names.toList())
                scope(scope)
            },
        ) { storedSchedule() to instant("database_now") }
        return connection.rows(
            context.statements["schedule_deactivate"],
            {
                uuids(locked.map { (stored, _) -> stored.schedule.id() })
                instants(locked.map { (stored, now) -> stored.restingAt(now) })
                uuids(locked.map { (stored, _) -> stored.schedule.id() })
                text(DROPPED)
                text("A sync did not name it.")
            },
        ) { getString("name") }.sorted()
    }

    private fun save(connection: Connection, requests: List<ScheduleRequest>, scope: Scope, appliesActive: Boolean): Saved {
        if (requests.isEmpty()) return Saved(emptyList(), emptyList())
        requests.forEach { requireInside(it, scope) }
        requireDistinct(requests)
        val definitions = Definitions.lock(connection, context, requests)
        val drafts = requests.sortedBy { it.name() }.map { ScheduleDraft.of(it, work(it), definitions.now) }
        val inserted = connection.rows(context.statements["schedule_insert"], { drafts(drafts) }) { schedule() }
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
            texts(drafts.map { it.request.name() })
            scope(scope)
        }
        val stored = connection.rows(context.statements.scoped("schedule_lock", scope), bind) {
            storedSchedule() to instant("database_now")
        }.associateBy { (stored, _) -> stored.schedule.name() }
        val (outdated, current) = drafts.map { draft ->
            val (existing, now) = stored[draft.request.name()] ?: throw notSaved(connection, draft.request)
            if (existing.schedule.kind() == ScheduleKind.POLL) throw nameOfTrigger(draft.request)
            Overwriting(draft, existing, now)
        }.partition { it.isOutdated }
        val kept = outdated.map { it.existing.schedule }
        if (current.isEmpty()) return kept
        val merged = current.map { it.draft.over(it.existing, appliesActive, it.now) }
        return kept + connection.rows(
            context.statements["schedule_update"],
            {
                drafts(merged)
                bools(merged.map { it.declaredActive })
                text("A sync changed it.")
                text(DROPPED)
            },
        ) { schedule() }
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

    private fun work(request: ScheduleRequest) = ScheduledWork(
        context.encoded(request.payload(), "schedule ${Text.quoted(request.name())}"),
        request.workflow()?.let { ScheduledWorkflow.storedForm(it, context) },
    )

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

    private fun nameOfTrigger(request: ScheduleRequest) = ErrorCode.DB_UNIQUE.exception(
        "The name ${Text.quoted(request.name())} is taken by a trigger: triggers and schedules share their names, choose " +
            "another.",
    )

    private fun nameTaken(request: ScheduleRequest) = ErrorCode.DB_UNIQUE.exception(
        "The schedule name ${Text.quoted(request.name())} is taken by a schedule outside the scope of the call: " +
            "names are unique across " +
            "organizations, choose another.",
    )

    private class Saved(val schedules: List<Schedule>, val outdated: List<String>)

    /** A request for a schedule that exists and is locked. */
    private class Overwriting(val draft: ScheduleDraft, val existing: StoredSchedule, val now: Instant) {
        /** What is stored is newer and stays. */
        val isOutdated: Boolean get() = draft.request.version() < existing.schedule.version()
    }

    /** The definitions behind the schedules to be saved, locked against being disabled, and the clock after the wait. */
    private class Definitions private constructor(private val enabled: Map<String, Boolean>, val now: Instant) {
        fun requireEnabled(request: ScheduleRequest) {
            request.jobTypes.firstOrNull { enabled[it] != true }?.let { throw unavailableDefinition(request.name(), it) }
        }

        companion object {
            fun lock(connection: Connection, context: LedgerContext, requests: List<ScheduleRequest>): Definitions {
                val types = requests.flatMap { it.jobTypes }.distinct()
                val found = connection.rows(context.statements["schedule_definitions"], { texts(types) }) {
                    Triple(getString("job_type"), getBoolean("is_enabled"), instant("database_now"))
                }
                val enabled = found.associate { (type, isEnabled, _) -> type to isEnabled }
                requests.forEach { request ->
                    request.jobTypes.firstOrNull { it !in enabled }?.let { throw unavailableDefinition(request.name(), it) }
                }
                return Definitions(enabled, found.maxOfOrNull { it.third } ?: now(connection, context))
            }

            /** For schedules without a job: workflows of gates alone. */
            private fun now(connection: Connection, context: LedgerContext): Instant =
                checkNotNull(connection.row(context.statements["database_now"]) { instant("database_now") })

            private val ScheduleRequest.jobTypes: List<String>
                get() = jobType()?.let(::listOf)
                    ?: workflow()!!.steps().filterIsInstance<JobStep>().map { it.jobType() }.distinct()
        }
    }
}
