package io.runledger.micrometer

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.test.freshLedger
import io.runledger.test.until
import java.time.Duration

/** The calls of docs/metrics.md. */
class MetricsPageSpec :
    FunSpec({
        test("a service measures its worker and its ledger") {
            val ledger = freshLedger()
            val greet = JobType.of("greet", String::class.java)
            ledger.client.definitions.sync(listOf(greet))
            ledger.client.jobs.enqueue(JobRequest.builder(greet, "Ada").build())
            val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)

            startMeasured(ledger.client, handlers { on(greet) { "hello ${it.payload()}" } }, registry).use {
                until("the job is measured") {
                    Scrape(registry.scrape()).sum("runledger_job_attempts_total", "type" to "greet", "result" to "succeeded") ==
                        1.0
                }
                until("the ledger is read") { "runledger_fleet_dead_letters" in registry.scrape() }
            }
        }

        test("meters take settings") {
            val ledger = freshLedger()
            val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)

            bindTuned(ledger.client, registry)

            ledger.client.metrics.fleet().types().size shouldBe 0
        }
    })

private fun startMeasured(client: RunledgerClient, handlers: Handlers, registry: MeterRegistry): RunningWorker {
    LedgerMetrics(client).bindTo(registry)
    return RunledgerWorker.builder(client)
        .handlers(handlers)
        .meter(WorkerMetrics(registry))
        .start()
}

private fun bindTuned(client: RunledgerClient, registry: MeterRegistry): WorkerMetrics {
    LedgerMetrics.builder(client)
        .maxAge(Duration.ofSeconds(30))
        .limit(100_000)
        .build()
        .bindTo(registry)
    return WorkerMetrics.builder(registry)
        .maxTypes(20)
        .buckets(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(10))
        .build()
}
