package io.runledger.samples

import io.runledger.exposed.RunledgerClient
import io.runledger.model.json.Payload
import io.runledger.model.spec.JobSelection
import io.runledger.model.spec.KeptState
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.spec.RequeueRequest
import io.runledger.model.state.JobStatus
import io.runledger.model.state.RequeueOutcome
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

/** What somebody on call does: look, understand, stop, repair, do again, tidy up. */
class OnCall(private val client: RunledgerClient) {
    private val everything = Scope.everything()

    /** What needs somebody now, in sentences; cheap enough for every few seconds. Empty when all is well. */
    fun concerns(): List<String> = client.health().concerns()

    /** One line per type: what waits, what runs, and what gave up of late. */
    fun overview(): List<String> = client.metrics.jobs(everything).map { type ->
        "${type.jobType()}: ${type.pending()} waiting, ${type.leased()} running, " +
            "${type.deadLettered()} gave up in the last ${type.window().toMinutes()} minutes"
    }

    /** "It is not running. Why?" */
    fun why(job: UUID): List<String> = client.jobs.why(everything, job).map { it.sentence() }

    /** What gave up and waits for somebody, the latest first. */
    fun deadLetters(): List<String> = client.jobs.openDeadLetters(everything, limit = 50).items().map { letter ->
        "${letter.jobType()} ${letter.jobId()}: ${letter.errorCode()} ${letter.errorMessage()}"
    }

    /** What in the ledger cannot be true; reads all of it, so for the night or after a disaster. */
    fun contradictions(): List<String> = client.verify().contradictions().map { "$it" }

    /** Repairs what the job was asked to do, and gives it another run with fresh attempts. */
    fun repair(job: UUID, payload: Any, why: String): Boolean {
        val repaired = client.jobs.editPayload(everything, job, Payload.of(payload), why)
        val request = RequeueRequest.of(everything, repaired, KeptState.RESET_PROGRESS_AND_CHECKPOINT, why)
        return client.jobs.requeue(request) is RequeueOutcome.Requeued
    }

    /** After an outage: everything that gave up because of it, in short transactions. */
    fun requeueAfterOutage(code: String): Long {
        val lost = JobSelection.any().failedWith(code)
        val keep = KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT
        return client.jobs.requeueAllDeadLetters(everything, lost, keep, "The outage is over.")
    }

    /** No job of the type starts until it is resumed; enqueueing goes on. */
    fun stop(jobType: String) {
        client.definitions.pause(jobType)
    }

    fun goOn(jobType: String) {
        client.definitions.resume(jobType)
    }

    /** Once; a worker with `retention` set does it by itself, again and again. */
    fun tidyUp(age: Duration): Int {
        val jobs = client.retention.prune(PruneRequest.of(age, setOf(JobStatus.SUCCEEDED), 10_000))
        val runs = client.retention.pruneRuns(PruneRunsRequest.of(age, setOf(WorkflowRunStatus.SUCCEEDED), 1_000))
        return jobs.jobs() + runs.jobs()
    }
}
