package io.runledger.spring.observe

import io.micrometer.core.instrument.MeterRegistry
import io.runledger.exposed.RunledgerClient
import io.runledger.micrometer.LedgerMetrics
import io.runledger.micrometer.WorkerMetrics
import io.runledger.spring.RunledgerAutoConfiguration
import io.runledger.spring.RunledgerWorkerCustomizer
import org.springframework.beans.factory.ObjectProvider
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate
import org.springframework.context.annotation.Bean

/** Meters of the worker and of the fleet, if `runledger-micrometer` is on the class path and there is a meter registry. */
@AutoConfiguration(
    after = [RunledgerAutoConfiguration::class],
    afterName = [
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
        "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
    ],
)
@ConditionalOnClass(WorkerMetrics::class, MeterRegistry::class)
@ConditionalOnBean(MeterRegistry::class)
public class RunledgerMetricsAutoConfiguration {
    /** Counts and times what the worker does. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(MeterRegistry::class)
    public fun runledgerWorkerMetrics(registry: MeterRegistry): WorkerMetrics = WorkerMetrics(registry)

    /** Gauges of the ledger, which Spring Boot binds to its registries. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(RunledgerClient::class)
    public fun runledgerLedgerMetrics(client: RunledgerClient): LedgerMetrics = LedgerMetrics(client)

    /** Gives the meter to the worker. */
    @Bean
    public fun runledgerMeteredWorker(metrics: ObjectProvider<WorkerMetrics>): RunledgerWorkerCustomizer =
        RunledgerWorkerCustomizer { worker -> metrics.ifUnique(worker::meter) }
}
