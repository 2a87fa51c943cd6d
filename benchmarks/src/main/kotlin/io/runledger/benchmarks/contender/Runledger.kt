package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import kotlinx.coroutines.delay

private const val POOL = 10
private const val CONCURRENCY = 4_000
private const val WAITING_CONCURRENCY = 10_000
private const val BATCH = 1_000
private const val CHUNK = 5_000

val RUNLEDGER = Entry(
    name = "runledger",
    settings = "maxConcurrency $CONCURRENCY ($WAITING_CONCURRENCY where handlers wait), claimBatchSize $BATCH, pool $POOL, the rest as it comes",
    make = ::Runledger,
)

/** Runledger, through its public API. */
class Runledger(private val database: BenchDatabase) : JvmContender {
    private val pool = database.pool(POOL)
    private val client = RunledgerClient.create(pool)
    private val noop = JobType.json("bench.noop")

    override fun install() {
        client.migrate()
        client.definitions.declare(noop)
    }

    override fun enqueue(payload: String) {
        client.jobs.enqueue(noop, Json.of(payload))
    }

    override fun enqueueAll(count: Int, payload: String) {
        val request = JobRequest.of(noop, Json.of(payload))
        for (left in count downTo 1 step CHUNK) client.jobs.enqueueAll(List(minOf(CHUNK, left)) { request })
    }

    override fun start(task: Task): AutoCloseable {
        val handlers = handlers {
            on(noop) {
                task.onJob()
                if (task.waitMillis > 0) delay(task.waitMillis)
            }
        }
        val concurrency = if (task.waitMillis > 0) WAITING_CONCURRENCY else CONCURRENCY
        return RunledgerWorker.builder(client)
            .handlers(handlers)
            .config(WorkerConfig.builder().maxConcurrency(concurrency).claimBatchSize(BATCH).build())
            .start()
    }

    override fun hasOpenJobs(): Boolean = database.hasOpenLedgerJobs()

    override val history = { rows: Long -> database.addLedgerHistory(rows) }

    override fun workerCommand(): List<String> = jvmWorker(RUNLEDGER.name, database)

    override fun close() = pool.close()
}
