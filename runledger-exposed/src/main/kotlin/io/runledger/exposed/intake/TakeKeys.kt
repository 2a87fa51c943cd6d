package io.runledger.exposed.intake

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.by
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wireOrNull
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobStatus
import java.sql.Connection
import java.util.UUID

/**
 * Takes the keys of jobs, in one order for all callers, and decides what becomes of each job: the transaction holds the keys to
 * its end. At most four statements, however many jobs there are. The caller inserts the new jobs.
 */
internal class TakeKeys(private val context: LedgerContext) {
    /**
     * Changes the waiting jobs that [rows] replace. Returns the rows to insert, and the answers for all rows that have a rule.
     * If a waiting job begins to run meanwhile, the call must be repeated as a whole: [VanishedKey].
     */
    fun take(connection: Connection, rows: List<NewJob>, act: Act): TakenKeys {
        val keyed = rows.filter { it.isRuled }.groupBy { checkNotNull(JobKey.of(it)) }
            .map { (key, jobs) -> KeyedJobs(key, jobs) }.sortedBy { it.key }
        val used = take(connection, keyed, rows.mapTo(sortedSetOf()) { it.request.jobType() }.toList())
        if (used.isNotEmpty()) findHolders(connection, used)
        keyed.forEach { it.decide() }
        replace(connection, keyed.flatMap { it.changed.entries }.sortedBy { it.key }.map { it.key to it.value }, act)
        move(connection, keyed.mapNotNull { it.moved })
        return TakenKeys(keyed.flatMap { it.inserted }, keyed.flatMap { it.answers }.toMap())
    }

    /** Returns those of [keyed] whose key is in use. */
    private fun take(connection: Connection, keyed: List<KeyedJobs>, types: List<String>): List<KeyedJobs> {
        val new = connection.rows(
            context.statements["intake/key_take"],
            {
                texts("all_types", types)
                uuids("job_ids", keyed.map { it.proposedId })
                longs("windows_us", keyed.sparse { it.proposedWindow })
                keys(keyed.map { it.key })
            },
        ) { uuid("job_id") }.toSet()
        return keyed.filterNot { it.proposedId in new }
    }

    private fun findHolders(connection: Connection, used: List<KeyedJobs>) {
        connection.rows(context.statements["intake/key_jobs"], { keys(used.map { it.key }) }) {
            val group = used[getInt("position") - 1]
            // The row of a job that was deleted by hand is still the row of its key.
            val status = wireOrNull<JobStatus>("status") ?: JobStatus.CANCELED
            group.heldBy(
                Holder(
                    uuid("job_id"),
                    status,
                    getInt("run_number"),
                    getInt("attempt"),
                    uuidOrNull("found_id") != null && getBoolean("is_window_open"),
                    null,
                ),
            )
        }
    }

    private fun replace(connection: Connection, changes: List<Pair<UUID, JobChange>>, act: Act) {
        if (changes.isEmpty()) return
        val parts = changes.map { it.second }
        val replaced = connection.rows(
            context.statements["intake/key_replace"],
            {
                uuids("job_ids", changes.map { it.first })
                jsons("payloads", parts.sparse { it.payload })
                jsons("headers", parts.sparse { it.headers })
                bools("time_flags", parts.map { it.setsTime })
                instants("run_times", parts.sparse { it.runAt })
                longs("delays_us", parts.sparse { it.delay?.toMicros() })
                longs("pauses_us", parts.sparse { it.pause?.toMicros() })
                longs("most_us", parts.sparse { it.atMost?.toMicros() })
                bools("priority_flags", parts.map { it.setsPriority })
                ints("priorities", parts.sparse { it.priority })
                bools("debounce_flags", parts.map { it.isDebounced })
                by(act)
            },
        ) { uuid("id") }
        if (replaced.size < changes.size) throw VanishedKey()
    }

    private fun move(connection: Connection, moved: List<MovedKey>) {
        if (moved.isEmpty()) return
        connection.update(context.statements["intake/key_move"]) {
            uuids("job_ids", moved.map { it.from })
            uuids("new_job_ids", moved.map { it.to })
            longs("windows_us", moved.sparse { it.windowMicros })
        }
    }
}

/** The jobs to insert, and the answer of each job that has a rule. */
internal class TakenKeys(val inserts: List<NewJob>, val answers: Map<NewJob, EnqueuedJob>)
