package io.runledger.exposed.read

import io.runledger.exposed.TestLedger
import io.runledger.model.json.Payload
import io.runledger.model.spec.KeptState
import io.runledger.model.spec.ProgressReport
import io.runledger.model.spec.ReplayRequest
import io.runledger.model.spec.RequeueRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Progress
import io.runledger.model.state.ReplayOutcome
import io.runledger.model.state.Scope
import java.time.Duration
import java.util.UUID

internal fun TestLedger.start(job: ClaimedJob) = client.leases.report(ProgressReport.running(job.lease()))

internal fun TestLedger.report(job: ClaimedJob, done: Long) {
    client.leases.report(ProgressReport.of(job.lease(), Progress(done, null)))
}

internal fun TestLedger.edit(id: UUID, payload: String) {
    client.jobs.editPayload(Scope.everything(), id, Payload.json(payload), "typo")
}

internal fun TestLedger.cancel(id: UUID) {
    client.jobs.cancel(Scope.everything(), id, "no")
}

internal fun TestLedger.requeue(id: UUID) {
    val seen = client.jobs.get(Scope.global(), id)
    client.jobs.requeue(RequeueRequest.of(Scope.global(), seen, KeptState.RESET_PROGRESS_AND_CHECKPOINT, "again"))
}

/** Lets the job's lease run out and the reaper find it. */
internal fun TestLedger.reap(id: UUID) {
    run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '$id'")
    client.leases.reap(1, Duration.ofSeconds(5)).single()
}

internal fun TestLedger.replay(source: UUID): UUID {
    val outcome = client.jobs.replay(ReplayRequest(Scope.global(), source, 1, "k", "again"))
    return (outcome as ReplayOutcome.Replayed).replay().replayJobId()
}
