package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.dsl.jobRequest
import io.runledger.dsl.jobType
import io.runledger.dsl.per
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

data class CustomerChange(val customer: String, val number: Int)

/** The service of another company. It allows few calls, and must hear of the changes of a customer in their order. */
fun interface Crm {
    suspend fun push(change: CustomerChange)
}

val pushChange = jobType<CustomerChange>("crm.push") {
    // In the whole fleet: four calls at once, and 200 a second.
    limit("crm-api", permits = 4, rate = 200.per(1.seconds))
    // Of these, two for each customer, also from other job types that name this limit.
    limit("crm-customer", permits = 2, by = CustomerChange::customer)
    // The changes of a customer one after another, in the order of their commits.
    orderedBy(CustomerChange::customer)
    // A tenant with a million changes does not hold up the others.
    fairByOrganization()
    // What operators pause and resume.
    queue("crm")
}

fun crmPush(crm: Crm): Handlers = handlers {
    on(pushChange) { job -> crm.push(job.payload()) }
}

fun pushChanges(client: RunledgerClient, tenant: UUID, changes: List<CustomerChange>) {
    client.jobs.enqueueAll(changes.map { JobRequest.builder(pushChange, it).organization(tenant).build() })
}

/** A change that a person waits for. It overtakes the others of its customer, and a pause of their queue does not stop it. */
fun pushAtOnce(client: RunledgerClient, tenant: UUID, change: CustomerChange): UUID {
    val request = jobRequest(pushChange, change) {
        organization(tenant)
        unordered()
        queue("urgent")
    }
    return client.jobs.enqueue(request).id()
}

/** A worker for the changes that people wait for. Without `queues`, a worker serves all of them. */
fun urgentWorker(client: RunledgerClient, crm: Crm): RunningWorker = RunledgerWorker.builder(client)
    .handlers(crmPush(crm))
    .config { it.queues("urgent", "default") }
    .start()

/** What an operator does during an incident, here in code: stop the calls, then begin again with one at a time. */
class CrmIncident(client: RunledgerClient, operator: String) {
    private val ledger = client.actingAs(operator)

    fun begins() {
        ledger.queues.pause("crm", "The CRM answers with errors.")
    }

    fun ends() {
        ledger.limits.changePermits("crm-api", 1, "The CRM is up again: carefully.")
        ledger.queues.resume("crm", "The CRM is up again.")
    }

    fun isForgotten() {
        ledger.limits.reset("crm-api", "The CRM is well.")
    }
}
