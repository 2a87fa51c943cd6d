package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.SharedWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.schema.Destroying
import io.runledger.exposed.schema.ListedLedger.State
import io.runledger.model.error.RunledgerException
import io.runledger.model.spec.JobRequest
import java.util.UUID
import javax.sql.DataSource

data class Newsletter(val subject: String, val readers: List<String>)

data class Letter(val subject: String, val reader: String)

val sendNewsletter = jobType<Newsletter>("newsletter.send")
val sendLetter = jobType<Letter>("letter.send")

/** Every customer has a ledger in a schema of its own, and one worker serves them all. */
class Tenants(dataSource: DataSource, private val post: (tenant: String, letter: Letter) -> Unit) : AutoCloseable {
    private val ledgers = Ledgers.of(dataSource)

    // 32 letters at a time in all; no customer has more than 24 under way, whatever becomes of them.
    private val worker = SharedWorker.start(places = 32) { worker, ledger ->
        worker.handlers(sending(ledger)).config(WorkerConfig.builder().maxConcurrency(24).build())
    }

    /**
     * When the process starts: serves the customers that are there, and brings their ledgers up to this build. Each by itself:
     * one whose ledger another build made or somebody altered keeps nobody from being served. Answers who is not, and why.
     */
    fun open(): Map<String, String> = buildMap {
        for (ledger in ledgers.list()) {
            if (ledger.state != State.CURRENT && ledger.state != State.OUTDATED) {
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

    /** May be called again, and by several processes at once. */
    fun welcome(tenant: String) {
        ledgers.create(tenant)
        val ledger = ledgers.client(tenant)
        ledger.definitions.sync(listOf(sendNewsletter, sendLetter))
        worker.serve(ledger)
    }

    fun publish(tenant: String, newsletter: Newsletter): UUID =
        ledgers.client(tenant).jobs.enqueue(sendNewsletter, newsletter).id()

    /** Lets what runs end first; what waits goes with the ledger. */
    fun farewell(tenant: String): Long {
        worker.leave(tenant).join()
        return ledgers.drop(tenant, Destroying.UNFINISHED_JOBS).unfinishedJobs
    }

    /** Made for each ledger, so a handler knows whose job it runs and enqueues beside it. */
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
