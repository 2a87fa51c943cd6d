package io.runledger.exposed.read

import io.runledger.exposed.TestLedger
import io.runledger.exposed.leases
import io.runledger.model.job.KeptState
import io.runledger.model.job.Progress
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ProgressReport
import io.runledger.model.ledger.Scope
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
    client.jobs.requeue(Scope.global(), RequeueRequest.of(seen, KeptState.RESET_PROGRESS_AND_CHECKPOINT, "again"))
}

/** Lets the lease of the job expire and reaps it. */
internal fun TestLedger.reap(id: UUID) {
    run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '$id'")
    client.leases.reap(1, Duration.ofSeconds(5)).single()
}

internal fun TestLedger.replay(source: UUID): UUID {
    val outcome = client.jobs.replay(Scope.global(), ReplayRequest(source, 1, "k", "again"))
    return (outcome as ReplayOutcome.Replayed).replay().replayJobId()
}
