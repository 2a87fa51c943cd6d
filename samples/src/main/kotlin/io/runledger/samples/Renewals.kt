package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobRequest
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.policy.Backoff
import io.runledger.model.policy.Jitter
import io.runledger.model.policy.RetryRule
import io.runledger.model.policy.RetryTerms
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.EnqueuedJob
import io.runledger.model.state.Scope
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

data class Renewal(val customer: String)

class BankException(val status: Int) : RuntimeException("The bank answered with $status.")

/** Stored with the type: patient with a busy bank, at an end when the card is refused. */
val renew = jobType<Renewal>("subscriptions.renew") {
    maxAttempts(6)
    retryPolicy {
        exponential(5.seconds, 2.0)
        cap(10.minutes)
        jitter(Jitter.ratio(0.2))
        rule(RetryRule.onCode("bank.busy").retry(Backoff.linear(Duration.ofMinutes(1), Duration.ofMinutes(1))))
        rule(RetryRule.onCode("bank.refused").giveUp())
    }
}

/** What the rules call busy and refused, only code can tell: the bank says it with a number. */
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
    /** While the customer looks on: quickly, and not for long, whatever the type says. */
    fun renewNow(customer: String): EnqueuedJob = client.jobs.enqueue(
        jobRequest(renew, Renewal(customer)) {
            maxAttempts(3)
            retryPolicy { fixed(1.seconds) }
        },
    )

    /** How a job is retried, and whether the job, its type or nobody says so. */
    fun terms(job: UUID): RetryTerms = client.jobs.retryTerms(Scope.global(), job)
}

/** A step with a policy of its own. */
fun subscription(customer: String): WorkflowRequest = workflow("subscriptions.begin") {
    job("renew") {
        runs(renew, Renewal(customer))
        retryPolicy { linear(1.seconds, 1.seconds) }
    }
}
