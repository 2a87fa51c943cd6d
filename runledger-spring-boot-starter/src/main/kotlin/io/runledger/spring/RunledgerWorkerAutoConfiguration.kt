package io.runledger.spring

import io.runledger.coroutines.AsyncJobInterceptor
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import org.slf4j.LoggerFactory
import org.springframework.beans.factory.ObjectProvider
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.context.annotation.Bean

/**
 * A worker with the handlers among the beans. It starts if there is a handler, or if `runledger.worker.enabled` is true: a worker
 * without handlers fires schedules, reaps the jobs of lost workers and deletes old rows.
 */
@AutoConfiguration(after = [RunledgerAutoConfiguration::class])
@ConditionalOnBooleanProperty(name = ["runledger.enabled", "runledger.worker.enabled"], matchIfMissing = true)
@ConditionalOnBean(RunledgerClient::class)
@EnableConfigurationProperties(RunledgerProperties::class)
public class RunledgerWorkerAutoConfiguration {
    /** The worker. */
    @Bean(WORKER)
    @ConditionalOnMissingBean(name = [WORKER])
    public fun runledgerWorker(
        client: RunledgerClient,
        properties: RunledgerProperties,
        beans: ConfigurableListableBeanFactory,
        observers: ObjectProvider<WorkerObserver>,
        interceptors: ObjectProvider<JobInterceptor>,
        asyncInterceptors: ObjectProvider<AsyncJobInterceptor>,
        customizers: ObjectProvider<RunledgerWorkerCustomizer>,
    ): RunledgerWorkerLifecycle {
        val handlers = HandlerBeans(beans, WORKER).collect()
        val settings = properties.worker
        val config = settings.config()
        val lifecycle = RunledgerWorkerLifecycle(settings.readiness) {
            if (settings.declareTypes &&
                handlers.jobTypes.isNotEmpty()
            ) {
                client.inOwnTransactions().definitions.sync(handlers.jobTypes)
            }
            val worker = RunledgerWorker.builder(client).handlers(handlers).config(config)
            observers.orderedStream().forEach(worker::observe)
            interceptors.orderedStream().forEach(worker::intercept)
            asyncInterceptors.orderedStream().forEach(worker::interceptAsync)
            customizers.orderedStream().forEach { it.customize(worker) }
            worker
        }
        lifecycle.setAutoStartup(settings.enabled ?: handlers.jobTypes.isNotEmpty())
        if (!lifecycle.isAutoStartup) log.info("No bean handles jobs, so no worker starts.")
        return lifecycle
    }

    internal companion object {
        const val WORKER: String = "runledgerWorker"
        private val log = LoggerFactory.getLogger(RunledgerWorkerAutoConfiguration::class.java)
    }
}
