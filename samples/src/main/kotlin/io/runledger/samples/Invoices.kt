package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import java.time.Duration
import java.time.Instant
import javax.sql.DataSource
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

data class SendInvoice(val invoice: String)

/** Retries temporary failures of the mail server, and does not retry permanent ones. */
val sendInvoice = jobType<SendInvoice>("invoices.send") {
    maxAttempts(6)
    timeout(2.minutes)
    retryPolicy {
        exponential(5.seconds, 2.0)
        cap(10.minutes)
        jitter(0.2)
        retryOn("mail.greylisted") { fixed(15.minutes) }
        giveUpOn(IllegalArgumentException::class)
    }
}

/** The ways to enqueue a job. */
class Invoices(private val client: RunledgerClient) {
    /** Runs as soon as a worker is free, with the defaults of the type. */
    fun send(invoice: String): EnqueuedJob = client.jobs.enqueue(sendInvoice, SendInvoice(invoice))

    /** One job, however often the call is repeated: the key returns the existing job, even after it has ended. */
    fun remind(invoice: String, dueAt: Instant): EnqueuedJob =
        client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) { it.idempotencyKey("remind/$invoice").runAt(dueAt).priority(50) }

    /** All or none, in one statement, whatever the number of jobs. */
    fun sendAll(invoices: List<String>): List<EnqueuedJob> =
        client.jobs.enqueueAll(invoices.map { JobRequest.of(sendInvoice, SendInvoice(it)) })

    /** One at a time: while the invoice waits or is being sent, the answer is that job. */
    fun sendOnce(invoice: String): EnqueuedJob =
        client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) { it.unique(Uniqueness.whileUnfinished(invoice)) }

    /** At most one an hour, also if it has been sent meanwhile. */
    fun sendAtMostHourly(invoice: String): EnqueuedJob =
        client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) { it.throttle(invoice, Duration.ofHours(1)) }

    /** When the invoice has not changed for a minute, and at the latest ten minutes after its first change. */
    fun sendWhenFinal(invoice: String): EnqueuedJob = client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) {
        it.debounce(invoice, Duration.ofMinutes(1), Duration.ofMinutes(10))
    }

    /** Moves the invoice that waits to another time, or enqueues one. */
    fun sendAt(dueAt: Instant, invoice: String): EnqueuedJob = client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) {
        it.replacePending(invoice, ReplacedPart.TIME).runAt(dueAt)
    }

    /** In a language: the handler reads it with `job.headers()["locale"]`. */
    fun sendIn(locale: String, invoice: String): EnqueuedJob =
        client.jobs.enqueue(sendInvoice, SendInvoice(invoice)) { it.header("locale", locale) }
}

/** Everything that this client enqueues carries the id of the current request. */
fun correlatedClient(dataSource: DataSource, requestId: () -> String?): RunledgerClient = RunledgerClient.builder(dataSource)
    .headers { requestId()?.let { mapOf("correlation" to it) } ?: emptyMap() }
    .build()

enum class Delivery { SENT, GREYLISTED, NO_SUCH_ADDRESS }

/** Expected outcomes are values. An exception is recorded and retried according to the policy. */
fun invoiceHandlers(mail: (String) -> Delivery): Handlers = handlers {
    on(sendInvoice) { job ->
        when (mail(job.payload().invoice)) {
            Delivery.SENT -> JobOutcome.succeeded()
            Delivery.GREYLISTED -> JobOutcome.retry("mail.greylisted", "The mail server asks for a later retry.")
            Delivery.NO_SUCH_ADDRESS -> JobOutcome.failed("mail.no_such_address", "The address does not exist.")
        }
    }
}
