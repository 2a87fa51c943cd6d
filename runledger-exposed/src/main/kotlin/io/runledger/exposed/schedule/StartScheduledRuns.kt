package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.workflow.EnqueueRuns
import io.runledger.exposed.workflow.PlannedRun
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.FireOutcome
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/** Starts the runs of due schedules with four statements, whatever their number and size. */
internal class StartScheduledRuns(private val context: LedgerContext) {
    private val intake = EnqueueRuns(context)

    /** The same fires with their runs. A fire whose workflow cannot be started is refused; the others are not affected. */
    fun start(connection: Connection, fires: List<PlannedFires>): List<PlannedFires> {
        if (fires.none { it.startsRuns }) return fires
        val drafts = fires.associateWith { if (it.startsRuns) draft(it) else Result.success(Draft.NONE) }
        val enabled = enabled(connection, drafts.values.flatMap { it.getOrNull()?.jobTypes.orEmpty() }.distinct())
        val checked = drafts.map { (fire, draft) ->
            fire to draft.mapCatching { it.also { requireEnabled(fire.due.name, it.jobTypes, enabled) } }
        }
        val started = intake.insertOrFind(connection, checked.flatMap { it.second.getOrNull()?.runs?.values.orEmpty() })
        return checked.map { (fire, draft) ->
            draft.fold(
                { PlannedFires(fire.due, fire.plan, it.runs.mapValues { (_, run) -> started.getValue(run.id) }, fire.headers) },
                { fire.refused(it as RunledgerException) },
            )
        }
    }

    /** Starts a run of a locked schedule outside its recurrence. */
    fun startByHand(connection: Connection, stored: StoredSchedule, now: Instant): UUID {
        requireEnabled(connection, stored)
        val run = stored.run(context, now, "schedule/${stored.schedule.id()}/by-hand/$now")
        return intake.insertOrFind(connection, listOf(run)).getValue(run.id)
    }

    /**
     * Starts runs of a locked schedule for instants of the past, each with its key. Returns those that were started: an instant
     * whose key is in use has a run already.
     */
    fun startPast(connection: Connection, stored: StoredSchedule, keys: Map<Instant, String>): Map<Instant, UUID> {
        val runs = keys.mapValues { (instant, key) -> stored.run(context, instant, key) }
        val found = intake.insertOrFind(connection, runs.values.toList())
        return runs.filterValues { found.getValue(it.id) == it.id }.mapValues { (_, run) -> run.id }
    }

    /** Locks the definitions of the jobs of [stored] as an enqueue does. Refuses if one of them is missing or disabled. */
    fun requireEnabled(connection: Connection, stored: StoredSchedule) =
        requireEnabled(stored.schedule.name(), stored.jobTypes, enabled(connection, stored.jobTypes))

    private fun draft(fire: PlannedFires): Result<Draft> = try {
        val stored = fire.due.stored.getOrThrow()
        val runs = fire.instants.filter { it.outcome == FireOutcome.FIRED }.associate { instant ->
            instant.scheduledFor to stored.run(context, instant.scheduledFor, keyOf(fire.due.id, instant.scheduledFor))
        }
        Result.success(Draft(stored.jobTypes, runs))
    } catch (refused: RunledgerException) {
        Result.failure(refused)
    }

    /** Locks the definitions as an enqueue does, so that none is disabled before the runs exist. */
    private fun enabled(connection: Connection, jobTypes: List<String>): Set<String> =
        connection.rows(context.statements["schedule/schedule_definitions"], { texts("job_types", jobTypes) }) {
            getString("job_type").takeIf { getBoolean("is_enabled") }
        }.filterNotNull().toSet()

    private fun requireEnabled(name: String, jobTypes: List<String>, enabled: Set<String>) {
        jobTypes.firstOrNull { it !in enabled }?.let { throw unavailableDefinition(name, it) }
    }

    private class Draft(val jobTypes: List<String>, val runs: Map<Instant, PlannedRun>) {
        companion object {
            val NONE = Draft(emptyList(), emptyMap())
        }
    }

    companion object {
        /** The idempotency key of the run for an instant. */
        fun keyOf(schedule: UUID, instant: Instant): String = "schedule/$schedule/$instant"
    }
}
