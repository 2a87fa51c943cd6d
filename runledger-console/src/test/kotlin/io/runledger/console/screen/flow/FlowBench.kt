package io.runledger.console.screen.flow

import io.runledger.console.ConsoleBench
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import java.time.Duration
import java.util.UUID

/** A job type with two limits, an order, shares and a queue. */
val push: JobType<String> = JobType.builder("crm.push", String::class.java)
    .limit("crm-api") { it.permits(8).rate(100, Duration.ofSeconds(1)) }
    .limit("crm-customer") { limit -> limit.permits(1).by { it } }
    .orderedBy { it }
    .fairByOrganization()
    .queue("crm")
    .build()

/** A console that reads anew for each page, of a ledger that knows [push]. */
fun flowBench() = ConsoleBench { snapshotLifetime = Duration.ZERO }.also { it.client.definitions.declare(push) }

/** One job for each of the customers. */
fun ConsoleBench.push(vararg customers: String, organization: UUID? = null): List<UUID> = customers.map { customer ->
    val request = JobRequest.builder(push, customer)
    organization?.let { request.organization(it) }
    client.jobs.enqueue(request.build()).id()
}

fun ConsoleBench.claim(most: Int): List<ClaimedJob> =
    WorkerLedger.of(client).leases.claim(ClaimRequest.of(listOf(push.name()), "worker-1", Duration.ofMinutes(5), most))
