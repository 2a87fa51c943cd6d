package io.runledger.exposed.read

import io.runledger.exposed.TestLedger
import io.runledger.model.json.Json
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimOrigin
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Progress
import io.runledger.model.state.SettledJob
import java.time.Duration
import java.util.UUID

internal fun TestLedger.define(vararg types: String): TestLedger = apply {
    types.forEach { run("INSERT INTO runledger.job_definitions (job_type) VALUES ('$it')") }
}

internal fun TestLedger.enqueue(type: String = "t", payload: String = "{}", change: JobRequest.Builder.() -> Unit = {}): UUID =
    client.jobs.enqueue(JobRequest.builder(type, Json.of(payload)).apply(change).build()).id()

internal fun TestLedger.claim(origin: ClaimOrigin = ClaimOrigin.DIRECT): ClaimedJob {
    val request = ClaimRequest(listOf("t"), "w1", Duration.ofSeconds(60), 1, origin)
    return client.leases.claim(request).single()
}

internal fun TestLedger.settle(job: ClaimedJob, verdict: Verdict, progress: Progress = Progress.NONE): SettledJob {
    val request = SettleRequest(job.lease(), verdict, progress)
    return client.leases.settle(listOf(request)).single()
}

/** Moves the job's time, so that no test has to wait for it. */
internal fun TestLedger.makeDue(id: UUID) = run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$id'")
