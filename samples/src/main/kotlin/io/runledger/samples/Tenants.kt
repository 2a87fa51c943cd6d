package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.SharedWorker
import io.runledger.dsl.jobType
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.lifecycle.Destroying
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import java.util.UUID
import javax.sql.DataSource

data class Newsletter(val subject: String, val readers: List<String>)

data class Letter(val subject: String, val reader: String)

val sendNewsletter = jobType<Newsletter>("newsletter.send")
val sendLetter = jobType<Letter>("letter.send")

/** Every customer has a ledger in a separate schema, and one worker serves all of them. */
class Tenants(dataSource: DataSource, private val post: (tenant: String, letter: Letter) -> Unit) : AutoCloseable {
    private val ledgers = Ledgers.of(dataSource)

    // At most 32 letters at a time in total, and at most 24 per customer.
    private val worker = SharedWorker.start(places = 32) { worker, ledger ->
        worker.handlers(sending(ledger)).config { it.maxConcurrency(24) }
    }

    /**
     * When the process starts: migrates the ledgers of all customers and serves them. If the ledger of one customer is newer
     * than this build or was altered, the others are still served. Returns the customers that are not served, with the reason.
     */
    fun open(): Map<String, String> = buildMap {
        for (ledger in ledgers.list()) {
            if (!ledger.isUsable) {
                put(ledger.schema, "the ledger is ${ledger.state}")
                continue
            }
            try {
                welcome(ledger.schema)
            } catch (refused: RunledgerException) {
                put(ledger.schema, refused.message.orEmpty())
            }
        }
    }

    /** May be repeated, and called by several processes at once. */
    fun welcome(tenant: String) {
        ledgers.create(tenant)
        val ledger = ledgers.client(tenant)
        ledger.definitions.sync(listOf(sendNewsletter, sendLetter))
        worker.serve(ledger)
    }

    fun publish(tenant: String, newsletter: Newsletter): UUID =
        ledgers.client(tenant).jobs.enqueue(sendNewsletter, newsletter).id()

    /** Waits for the running jobs. Waiting jobs are dropped with the ledger. */
    fun farewell(tenant: String): Long {
        worker.leave(tenant).join()
        return ledgers.drop(tenant, Destroying.UNFINISHED_JOBS).unfinishedJobs
    }

    /** Created for each ledger, so that a handler knows its customer and can enqueue jobs in the same ledger. */
    private fun sending(ledger: RunledgerClient): Handlers = handlers {
        on(sendNewsletter) { job ->
            val (subject, readers) = job.payload()
            ledger.jobs.enqueueAll(
                readers.map { JobRequest.builder(sendLetter, Letter(subject, it)).idempotencyKey("${job.jobId()}/$it").build() },
            ).size
        }
        on(sendLetter) { job -> post(ledger.schema, job.payload()) }
    }

    override fun close() = worker.close()
}
