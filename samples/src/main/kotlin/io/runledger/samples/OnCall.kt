package io.runledger.samples

import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.workflow.WorkflowRunStatus
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

    /** Contradictions in the ledger. Reads every row, so run it at times of low load or after an incident. */
    fun contradictions(): List<String> = client.verify().contradictions().map { "$it" }

    /** Corrects the payload of the job and requeues it with new attempts. */
    fun repair(job: UUID, payload: Any, why: String): Boolean {
        val repaired = client.jobs.editPayload(everything, job, Payload.of(payload), why)
        val request = RequeueRequest.of(repaired, KeptState.RESET_PROGRESS_AND_CHECKPOINT, why)
        return client.jobs.requeue(everything, request) is RequeueOutcome.Requeued
    }

    /** After an outage: requeues all dead letters it caused, in short transactions. */
    fun requeueAfterOutage(code: String): Long {
        val lost = JobSelection.any().failedWith(code)
        val keep = KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT
        return client.jobs.requeueAllDeadLetters(everything, lost, keep, "The outage is over.")
    }

    /** No job of the type starts until the type is resumed. New jobs are still accepted. */
    fun stop(jobType: String) {
        client.definitions.pause(jobType)
    }

    fun goOn(jobType: String) {
        client.definitions.resume(jobType)
    }

    /** Prunes once. A worker with `retention` set prunes regularly. */
    fun tidyUp(age: Duration): Int {
        val jobs = client.retention.prune(PruneRequest.of(age, setOf(JobStatus.SUCCEEDED), 10_000))
        val runs = client.retention.pruneRuns(PruneRunsRequest.of(age, setOf(WorkflowRunStatus.SUCCEEDED), 1_000))
        return jobs.jobs() + runs.jobs()
    }
}
