package io.runledger.samples

import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

/** Tasks of the engineer on call: inspect, diagnose, stop, repair, retry, clean up. */
class OnCall(private val client: RunledgerClient) {
    private val everything = Scope.everything()

    /** The current problems, in sentences; cheap enough to read every few seconds. Empty if there are none. */
    fun concerns(): List<String> = client.health().concerns()

    /** One line per type: waiting jobs, running jobs and recent dead letters. */
    fun overview(): List<String> = client.metrics.jobs(everything).map { type ->
        "${type.jobType()}: ${type.pending()} waiting, ${type.leased()} running, " +
            "${type.deadLettered()} dead letters in the last ${type.window().toMinutes()} minutes"
    }

    /** The reason why a job is not running. */
    fun why(job: UUID): List<String> = client.jobs.why(everything, job).map { it.sentence() }

    /** The dead letters that wait for an operator, newest first. */
    fun deadLetters(): List<String> = client.jobs.openDeadLetters(everything, limit = 50).items().map { letter ->
        "${letter.jobType()} ${letter.jobId()}: ${letter.errorCode()} ${letter.errorMessage()}"
    }

    /** The same by cause, the largest group first. Messages that differ in numbers, ids and quoted texts are one cause. */
    fun causes(): List<String> = client.jobs.deadLetterCauses(everything).causes().map { cause ->
        "${cause.count()} ${cause.jobType()} since ${cause.firstAt()}: ${cause.errorCode()} ${cause.message()}"
    }

    /** Finished attempts per second in the last minute, and the most frequent failures of the last hour. */
    fun pulse(): List<String> {
        val minute = client.metrics.throughput(everything, Duration.ofMinutes(1))
        return listOf("${minute.points().sumOf { it.succeeded() } / 60} per second") +
            client.metrics.failureCauses(everything).map { "${it.count()} times ${it.errorCode()} of ${it.jobType()}" }
    }

    /** Contradictions in the ledger. Reads every row, so run it at times of low load or after an incident. */
    fun contradictions(): List<String> = client.verify().contradictions().map { "$it" }

    /** Corrects the payload of the job and starts it from the beginning, with new attempts. */
    fun <P : Any> repair(job: UUID, type: JobType<P>, payload: P, why: String) {
        client.jobs.editPayload(everything, job, type, payload, why)
        client.jobs.restart(everything, job, why)
    }

    /** After an outage: requeues all dead letters it caused, in short transactions. */
    fun requeueAfterOutage(code: String): Long =
        client.jobs.requeueAllDeadLetters(everything, JobSelection.any().failedWith(code), "The outage is over.")

    /** Cancels the job as [actor]. A second call with the same [key] changes nothing and is refused. */
    fun cancel(actor: String, key: String, job: UUID, why: String) {
        client.actingAs(actor, key).jobs.cancel(everything, job, why)
    }

    /** The actions of operators that changed the job, newest first. */
    fun whoChanged(job: UUID): List<String> = client.audit.list(everything) { it.job(job) }.items().map { action ->
        "${action.actor()}: ${action.kind().wire()}, ${action.changed()} changed, ${action.reason()}"
    }

    /** The actions on many jobs that are still running, with their progress. */
    fun running(): List<String> = client.audit.list(everything) { it.unfinished() }.items().map { action ->
        "${action.actor()}: ${action.kind().wire()}, ${action.changed()} changed so far"
    }

    /** Undoes the last action of [actor], as far as its jobs are as it left them. */
    fun undoLast(actor: String, why: String): String {
        val last = client.audit.list(everything) { it.actor(actor).limit(1) }.items().single()
        val undone = client.actingAs(actor).audit.undo(everything, last.id(), why)
        return "${undone.restored()} restored, ${undone.movedOn()} had moved on"
    }

    /** Requeues a selection, such as `cause.selection()`, if it is no larger than expected. */
    fun requeue(selection: JobSelection, most: Long): Long {
        val preview = client.jobs.preview(everything, selection, setOf(JobStatus.DEAD_LETTERED))
        check(!preview.isAtLeast && preview.count() <= most) { "${preview.count()} jobs or more would run again." }
        return client.jobs.requeueAllDeadLetters(everything, selection, "The cause is fixed.")
    }

    /** No job of the type starts until the type is resumed. New jobs are still accepted. */
    fun stop(jobType: String) {
        client.definitions.pause(jobType)
    }

    fun goOn(jobType: String) {
        client.definitions.resume(jobType)
    }

    /** Prunes once. A worker with `retention` set prunes regularly. */
    fun tidyUp(age: Duration): Int = client.retention.pruneSucceeded(age).jobs() + client.retention.pruneSucceededRuns(age).jobs()
}
