package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobRequest
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

data class Renewal(val customer: String)

class BankException(val status: Int) : RuntimeException("The bank answered with $status.")

/** Stored with the type: retries while the bank is busy, and stops when the card is refused. */
val renew = jobType<Renewal>("subscriptions.renew") {
    maxAttempts(6)
    retryPolicy {
        exponential(5.seconds, 2.0)
        cap(10.minutes)
        jitter(0.2)
        retryOn("bank.busy") { linear(1.minutes, 1.minutes) }
        giveUpOn("bank.refused")
    }
}

/** Maps the bank's status numbers to the failure codes of the rules. */
fun renewals(charge: (customer: String) -> Unit): Handlers = handlers {
    classify(renew) { thrown, failure ->
        when ((thrown as? BankException)?.status) {
            402 -> failure.withCode("bank.refused")
            503 -> failure.withCode("bank.busy")
            else -> failure
        }
    }
    on(renew) { job -> charge(job.payload().customer) }
}

class Renewals(private val client: RunledgerClient) {
    /** While the customer waits: retries quickly and only briefly, whatever the policy of the type. */
    fun renewNow(customer: String): EnqueuedJob = client.jobs.enqueue(
        jobRequest(renew, Renewal(customer)) {
            maxAttempts(3)
            retryPolicy { fixed(1.seconds) }
        },
    )

    /** The retry policy of a job, and its source: the job, its type or the default. */
    fun terms(job: UUID) = client.jobs.retryTerms(Scope.global(), job)
}

/** A step with its own policy. */
fun subscription(customer: String): WorkflowRequest = workflow("subscriptions.begin") {
    job("renew") {
        runs(renew, Renewal(customer))
        retryPolicy { linear(1.seconds, 1.seconds) }
    }
}
