package io.runledger.spring.observe

import io.opentelemetry.api.OpenTelemetry
import io.runledger.opentelemetry.RunledgerTelemetry
import io.runledger.spring.RunledgerAutoConfiguration
import io.runledger.spring.RunledgerClientCustomizer
import io.runledger.spring.RunledgerWorkerCustomizer
import org.springframework.beans.factory.ObjectProvider
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate
import org.springframework.context.annotation.Bean
import org.springframework.core.Ordered
import org.springframework.core.annotation.Order

/**
 * Traces from the enqueue to the handler, if `runledger-opentelemetry` is on the class path and there is an `OpenTelemetry`
 * bean.
 */
@AutoConfiguration(
    before = [RunledgerAutoConfiguration::class],
    afterName = ["org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"],
)
@ConditionalOnClass(RunledgerTelemetry::class, OpenTelemetry::class)
public class RunledgerTracingAutoConfiguration {
    /** The traces of all clients and workers of the application. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(OpenTelemetry::class)
    public fun runledgerTelemetry(openTelemetry: OpenTelemetry): RunledgerTelemetry = RunledgerTelemetry.create(openTelemetry)

    /** Lets the client send the context of the trace with everything that it enqueues. */
    @Bean
    public fun runledgerTracedClient(telemetry: ObjectProvider<RunledgerTelemetry>): RunledgerClientCustomizer =
        RunledgerClientCustomizer { client -> telemetry.ifUnique { it.trace(client) } }

    /** Before other customizers, so that the work of their interceptors belongs to the span. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    public fun runledgerTracedWorker(telemetry: ObjectProvider<RunledgerTelemetry>): RunledgerWorkerCustomizer =
        RunledgerWorkerCustomizer { worker -> telemetry.ifUnique { it.trace(worker) } }
}
