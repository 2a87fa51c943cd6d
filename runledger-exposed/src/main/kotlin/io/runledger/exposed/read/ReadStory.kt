package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.schedule.scheduleFireOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.history.JobLineage
import io.runledger.model.history.JobStory
import io.runledger.model.job.Job
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.sql.ResultSet
import java.util.UUID

/** Reads all data of a job with seven statements in one snapshot, whatever the length of its history. */
internal class ReadStory(private val context: LedgerContext) {
    private val statements get() = context.statements

    fun story(scope: Scope, id: UUID): JobStory = context.transactions.snapshot { connection ->
        val job = connection.row(
            statements.scoped("read/job_by_id", scope),
            {
                uuid("job_id", id)
                scope(scope)
            },
        ) { job() } ?: throw jobNotFound(id)
        connection.story(job)
    }

    private fun Connection.story(job: Job) = JobStory(
        job,
        rows(
            statements.scoped("read/job_attempts", Scope.everything()),
            {
                uuid("job_id", job.id())
                int("limit", JobStory.MAX_ENTRIES)
            },
        ) { attempt() },
        last("read/job_last_events", job) { jobEvent() },
        last("read/job_last_logs", job) { jobLogLine() },
        last("read/job_dead_letters", job) { deadLetter() },
        lineage(job),
    )

    private fun Connection.lineage(job: Job): JobLineage {
        val replays = rows(
            statements["read/job_replays"],
            {
                uuid("job_id", job.id())
                int("limit", JobStory.MAX_ENTRIES)
            },
        ) { jobReplay() }
        val origin = row(statements["read/job_origin"], { uuid("job_id", job.id()) }) { scheduleFireOrNull() to stepOrNull() }
        val (fire, step) = checkNotNull(origin)
        val (from, of) = replays.partition { it.replayJobId() == job.id() }
        return JobLineage(from.singleOrNull(), of.reversed(), fire, step)
    }

    private fun <T> Connection.last(statement: String, job: Job, read: ResultSet.() -> T): List<T> = rows(
        statements[statement],
        {
            uuid("job_id", job.id())
            int("limit", JobStory.MAX_ENTRIES)
        },
        read,
    )
}
