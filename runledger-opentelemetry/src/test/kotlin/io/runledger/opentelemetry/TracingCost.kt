package io.runledger.opentelemetry

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.sdk.OpenTelemetrySdk
import io.opentelemetry.sdk.common.CompletableResultCode
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.data.SpanData
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor
import io.opentelemetry.sdk.trace.export.SpanExporter
import io.opentelemetry.sdk.trace.samplers.Sampler
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.test.TestLedger
import io.runledger.test.until
import kotlinx.coroutines.runBlocking
import kotlin.system.exitProcess

private const val CHUNK = 5_000
private const val QUEUE = 200_000

/** Drops what it is given: the cost of an exporter is its own. */
private object NoExporter : SpanExporter {
    override fun export(spans: Collection<SpanData>): CompletableResultCode = CompletableResultCode.ofSuccess()

    override fun flush(): CompletableResultCode = CompletableResultCode.ofSuccess()

    override fun shutdown(): CompletableResultCode = CompletableResultCode.ofSuccess()
}

private fun telemetry(sampler: Sampler): RunledgerTelemetry = RunledgerTelemetry.create(
    OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setSampler(sampler)
                .addSpanProcessor(
                    // With the standard queue of 2,048, a busy worker's spans would be dropped, which costs less than exporting them.
                    BatchSpanProcessor.builder(NoExporter).setMaxQueueSize(QUEUE).setMaxExportBatchSize(CHUNK).build(),
                )
                .build(),
        )
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .build(),
)

private val noop = jobType<Int>("noop")

/** Enqueues and drains with and without tracing, in turns, in one process. Arguments: jobs per round, rounds. */
fun main(arguments: Array<String>) {
    val jobs = arguments[0].toInt()
    val variants = mapOf(
        "without" to null,
        "sampled 1 %" to telemetry(Sampler.parentBased(Sampler.traceIdRatioBased(0.01))),
        "sampled all" to telemetry(Sampler.alwaysOn()),
    )
    val figures = variants.keys.associateWith { ArrayList<Pair<Double, Double>>() }
    repeat(arguments[1].toInt() + 1) { round ->
        variants.forEach { (name, telemetry) ->
            val figure = measured(jobs, telemetry)
            // The first round warms up.
            if (round > 0) figures.getValue(name) += figure
        }
    }
    val without = figures.getValue("without")
    figures.forEach { (name, rounds) ->
        println("$name: enqueue ${spread(rounds.map { it.first })} jobs/s, drain ${spread(rounds.map { it.second })} jobs/s")
        // Of the same round, so that a change of the machine's speed meets both.
        println(
            "  of that without: enqueue ${ratio(rounds.map { it.first }, without.map { it.first })}, " +
                "drain ${ratio(rounds.map { it.second }, without.map { it.second })}",
        )
    }
    exitProcess(0)
}

/** The median, the least and the greatest. */
private fun spread(rates: List<Double>): String =
    rates.sorted().let { "%,.0f (%,.0f to %,.0f)".format(it[it.size / 2], it.first(), it.last()) }

/** The median of the ratios of the rounds. */
private fun ratio(rates: List<Double>, others: List<Double>): String =
    rates.zip(others) { rate, other -> rate / other }.sorted().let { "%.2f".format(it[it.size / 2]) }

private fun measured(jobs: Int, telemetry: RunledgerTelemetry?): Pair<Double, Double> = TestLedger.fresh().use { ledger ->
    val client = RunledgerClient.builder(ledger.dataSource).also { telemetry?.trace(it) }.build()
    client.definitions.declare(noop)
    val enqueued = rate(jobs) {
        val request = JobRequest.of(noop, 1)
        for (left in jobs downTo 1 step CHUNK) client.jobs.enqueueAll(List(minOf(CHUNK, left)) { request })
    }
    ledger.dataSource.connection.use { it.createStatement().execute("VACUUM ANALYZE runledger.job_queue") }
    val worker = RunledgerWorker.builder(client).handlers(handlers { on(noop) { JobOutcome.succeeded() } })
    telemetry?.trace(worker)
    val running = ArrayList<RunningWorker>()
    val drained = rate(jobs) {
        running += worker.start()
        runBlocking { until("all jobs have ended") { ledger.isDrained() } }
    }
    running.forEach { it.close() }
    enqueued to drained
}

private fun TestLedger.isDrained(): Boolean = dataSource.connection.use { connection ->
    val live = "SELECT FROM runledger.job_queue WHERE status IN ('PENDING', 'LEASED') LIMIT 1"
    connection.createStatement().executeQuery(live).use { !it.next() }
}

private inline fun rate(jobs: Int, work: () -> Unit): Double {
    val start = System.nanoTime()
    work()
    return jobs / ((System.nanoTime() - start) / 1e9)
}
