package io.runledger.benchmarks.contender

import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import io.runledger.benchmarks.workload.flow.chain as chainRequest
import io.runledger.benchmarks.workload.flow.fan as fanRequest
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.micrometer.LedgerMetrics
import io.runledger.micrometer.WorkerMetrics
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.delay
import java.time.Duration
import kotlin.concurrent.fixedRateTimer

private const val POOL = 10
private const val CONCURRENCY = 4_000
private const val WAITING_CONCURRENCY = 10_000
private const val BATCH = 1_000
private const val CHUNK = 5_000
private const val CHAIN_LINKS = 20
private const val SCRAPE_MILLIS = 1_000L

val RUNLEDGER = Entry(
    name = "runledger",
    isOurs = true,
    chainLinks = CHAIN_LINKS,
    settings = "maxConcurrency $CONCURRENCY ($WAITING_CONCURRENCY where handlers wait), claimBatchSize $BATCH, pool $POOL, the rest as it comes",
    make = { Runledger(it) },
)

/** The same worker as it comes. */
val RUNLEDGER_DEFAULTS = Entry(
    name = "runledger-defaults",
    isOurs = true,
    isVariant = true,
    chainLinks = CHAIN_LINKS,
    settings = "every setting of the worker at its default, pool $POOL",
    make = { Runledger(it, isTuned = false) },
)

/** The same worker with a handler that takes many jobs at once. */
val RUNLEDGER_BATCHES = Entry(
    name = "runledger-batches",
    isOurs = true,
    isVariant = true,
    hasBatchHandlers = true,
    settings = "a batch handler of up to $BATCH jobs, every setting of the worker at its default, pool $POOL",
    make = { Runledger(it, isTuned = false, hasBatches = true) },
)

/** The same worker with its meters, scraped once a second. */
val RUNLEDGER_MEASURED = Entry(
    name = "runledger-measured",
    isVariant = true,
    settings = "as runledger, with WorkerMetrics and LedgerMetrics in a Prometheus registry that is scraped once a second",
    make = { Runledger(it, isMeasured = true) },
)

/** Ourselves, through the public API. */
class Runledger(
    private val database: BenchDatabase,
    private val isTuned: Boolean = true,
    private val hasBatches: Boolean = false,
    private val isMeasured: Boolean = false,
) : JvmContender {
    private val pool = database.pool(POOL)
    private val client = RunledgerClient.create(pool)

    /** Only in the process of the worker, which is the one that is scraped. */
    private val meters by lazy { if (isMeasured) measuredWorker(client) else null }
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

    override fun start(task: Task): Worker {
        val handlers = if (hasBatches) batchHandlers(task) else singleHandlers(task)
        val builder = RunledgerWorker.builder(client).handlers(handlers).config(if (isTuned) tuned(task) else WorkerConfig.defaults())
        meters?.let { builder.meter(it) }
        val worker = builder.start()
        return worker(::enqueue, RunledgerFlows(client), worker::close)
    }

    private fun singleHandlers(task: Task) = handlers {
        on(noop) {
            task.onJob()
            if (task.waitMillis > 0) delay(task.waitMillis)
        }
    }

    private fun batchHandlers(task: Task) = handlers {
        onBatch(noop, BATCH) { jobs ->
            repeat(jobs.size) { task.onJob() }
            if (task.waitMillis > 0) delay(task.waitMillis)
            BatchOutcome.succeeded()
        }
    }

    private fun tuned(task: Task): WorkerConfig =
        WorkerConfig.builder().maxConcurrency(if (task.waitMillis > 0) WAITING_CONCURRENCY else CONCURRENCY).claimBatchSize(BATCH).build()

    override fun hasOpenJobs(): Boolean = database.hasOpenLedgerJobs()

    override val history = { rows: Long -> database.addLedgerHistory(rows) }

    override fun workerCommand(): List<String> = jvmWorker(entry.name, database)

    private val entry: Entry
        get() = when {
            hasBatches -> RUNLEDGER_BATCHES
            isMeasured -> RUNLEDGER_MEASURED
            isTuned -> RUNLEDGER
            else -> RUNLEDGER_DEFAULTS
        }

    override fun close() = pool.close()
}

/** Meters in a registry that is scraped as Prometheus does it, but more often. */
private fun measuredWorker(client: RunledgerClient): WorkerMetrics {
    val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)
    LedgerMetrics.builder(client).maxAge(Duration.ofMillis(SCRAPE_MILLIS / 2)).build().bindTo(registry)
    fixedRateTimer("scrapes", daemon = true, initialDelay = SCRAPE_MILLIS, period = SCRAPE_MILLIS) { registry.scrape() }
    return WorkerMetrics(registry)
}

private class RunledgerFlows(private val client: RunledgerClient) : Flows {
    override fun fan(width: Int) = run(fanRequest(width))

    override fun chain(length: Int) = run(chainRequest(length))

    private fun run(request: WorkflowRequest) {
        val run = client.workflows.enqueue(request).runId()
        val end = client.workflows.await(Scope.global(), run).get()
        check(end.status() == WorkflowRunStatus.SUCCEEDED) { "A run ended as ${end.status()}." }
    }
}
