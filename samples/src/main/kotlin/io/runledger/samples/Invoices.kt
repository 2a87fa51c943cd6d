package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.policy.Backoff
import io.runledger.model.policy.Jitter
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.RetryRule
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobRequest
import io.runledger.model.state.EnqueuedJob
import java.time.Duration
import java.time.Instant
import kotlin.time.Duration.Companion.minutes

data class SendInvoice(val invoice: String)

/** Patient with the mail server, quick to give up on what cannot get better. */
val patience: RetryPolicy = RetryPolicy.builder()
    .exponential(Duration.ofSeconds(5), 2.0)
    .cap(Duration.ofMinutes(10))
    .jitter(Jitter.ratio(0.2))
    .rule(RetryRule.onCode("mail.greylisted").retry(Backoff.fixed(Duration.ofMinutes(15))))
    .rule(RetryRule.onException(IllegalArgumentException::class.java).giveUp())
    .build()

val sendInvoice = jobType<SendInvoice>("invoices.send") {
    maxAttempts(6)
    timeout(2.minutes)
    retryPolicy(patience)
}

/** Every way to ask for a job. */
class Invoices(private val client: RunledgerClient) {
    /** As soon as a worker is free; the rest is as the type says. */
    fun send(invoice: String): EnqueuedJob = client.jobs.enqueue(sendInvoice, SendInvoice(invoice))

    /** Once, however often it is asked for: the key gives the job that is there already, also after it has ended. */
    fun remind(invoice: String, dueAt: Instant): EnqueuedJob = client.jobs.enqueue(
        JobRequest.builder(sendInvoice, SendInvoice(invoice))
            .idempotencyKey("remind/$invoice")
            .runAt(dueAt)
            .priority(50)
            .build(),
    )

    /** All or none, in one statement, whether ten or ten thousand. */
    fun sendAll(invoices: List<String>): List<EnqueuedJob> =
        client.jobs.enqueueAll(invoices.map { JobRequest.of(sendInvoice, SendInvoice(it)) })
}

enum class Delivery { SENT, GREYLISTED, NO_SUCH_ADDRESS }

/** Expected endings are values; whatever is thrown is recorded and tried again as the policy says. */
fun invoiceHandlers(mail: (String) -> Delivery): Handlers = handlers {
    on(sendInvoice) { job ->
        when (mail(job.payload().invoice)) {
            Delivery.SENT -> JobOutcome.succeeded()
            Delivery.GREYLISTED -> JobOutcome.retry("mail.greylisted", "The server wants us to come back later.")
            Delivery.NO_SUCH_ADDRESS -> JobOutcome.failed("mail.no_such_address", "Nobody lives there.")
        }
    }
}
