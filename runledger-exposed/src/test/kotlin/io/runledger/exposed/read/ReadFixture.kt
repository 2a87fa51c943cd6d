package io.runledger.exposed.read

import io.runledger.exposed.TestLedger
import io.runledger.exposed.leases
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import java.time.Duration
import java.util.UUID

internal fun TestLedger.enqueue(type: String = "t", payload: String = "{}", change: JobRequest.Builder.() -> Unit = {}): UUID =
    client.jobs.enqueue(JobRequest.builder(type, Json.of(payload)).apply(change).build()).id()

internal fun TestLedger.claim(origin: ClaimOrigin = ClaimOrigin.DIRECT): ClaimedJob {
    val request = ClaimRequest(listOf("t"), "w1", Duration.ofSeconds(60), 1, origin)
    return client.leases.claim(request).single()
}
