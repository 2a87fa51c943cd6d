package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.schedule.scheduleFireOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.state.Job
import io.runledger.model.state.JobLineage
import io.runledger.model.state.JobStory
import io.runledger.model.state.Scope
import java.sql.Connection
import java.sql.ResultSet
import java.util.UUID

/** Reads all there is about a job: seven statements of one snapshot, however long the story. */
internal class ReadStory(private val context: LedgerContext) {
    private val statements get() = context.statements

    fun story(scope: Scope, id: UUID): JobStory = context.transactions.snapshot { connection ->
        val job = connection.row(
            statements.scoped("job_by_id", scope),
            {
                uuid(id)
                scope(scope)
            },
        ) { job() } ?: throw jobNotFound(id)
        connection.story(job)
    }

    private fun Connection.story(job: Job) = JobStory(
        job,
        rows(
            statements.scoped("job_attempts", Scope.everything()),
            {
                uuid(job.id())
                uuid(job.id())
                int(JobStory.MAX_ENTRIES)
            },
        ) { attempt() },
        last("job_last_events", job) { jobEvent() },
        last("job_last_logs", job) { jobLogLine() },
        last("job_dead_letters", job) { deadLetter() },
        lineage(job),
    )

    private fun Connection.lineage(job: Job): JobLineage {
        val replays = rows(
            statements["job_replays"],
            {
                uuid(job.id())
                uuid(job.id())
                int(JobStory.MAX_ENTRIES)
            },
        ) { jobReplay() }
        val origin = row(statements["job_origin"], { uuid(job.id()) }) { scheduleFireOrNull() to stepOrNull() }
        val (fire, step) = checkNotNull(origin)
        val (from, of) = replays.partition { it.replayJobId() == job.id() }
        return JobLineage(from.singleOrNull(), of.reversed(), fire, step)
    }

    private fun <T> Connection.last(statement: String, job: Job, read: ResultSet.() -> T): List<T> = rows(
        statements[statement],
        {
            uuid(job.id())
            int(JobStory.MAX_ENTRIES)
        },
        read,
    )
}
