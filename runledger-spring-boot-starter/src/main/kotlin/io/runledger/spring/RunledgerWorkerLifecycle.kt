package io.runledger.spring

import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.model.error.RunledgerException
import org.springframework.beans.factory.DisposableBean
import org.springframework.boot.availability.ApplicationAvailability
import org.springframework.boot.availability.AvailabilityChangeEvent
import org.springframework.boot.availability.ReadinessState
import org.springframework.context.ApplicationContext
import org.springframework.context.ApplicationContextAware
import org.springframework.context.SmartLifecycle
import java.util.concurrent.CompletableFuture
import java.util.function.Supplier

/**
 * A worker that lives as long as the application context: it starts when all beans are ready, and it drains before they are
 * destroyed. If the phase of the shutdown takes longer than `spring.lifecycle.timeout-per-shutdown-phase`, the context waits for
 * the worker when it destroys this bean, so that the connection pool is closed after it.
 *
 * A start after a stop builds a new worker. While the worker should run and cannot use its ledger, or has ended by an order, the
 * application refuses traffic (`ReadinessState.REFUSING_TRAFFIC`), unless [affectsReadiness] is false.
 *
 * @param affectsReadiness whether the readiness of the application follows the worker
 * @param worker gives the worker; called at each start
 */
public class RunledgerWorkerLifecycle @JvmOverloads constructor(
    private val affectsReadiness: Boolean = true,
    private val worker: Supplier<RunledgerWorker.Builder>,
) : SmartLifecycle,
    ApplicationContextAware,
    DisposableBean {
    private var context: ApplicationContext? = null
    private var running: RunningWorker? = null
    private var isStopping = false
    private var isAutoStartup = true

    override fun isAutoStartup(): Boolean = isAutoStartup

    /** Whether the worker starts with the context, or only by a call of [start]. */
    public fun setAutoStartup(isAutomatic: Boolean) {
        isAutoStartup = isAutomatic
    }

    override fun setApplicationContext(applicationContext: ApplicationContext) {
        context = applicationContext
    }

    @Synchronized
    override fun start() {
        if (isRunning) return
        isStopping = false
        val started = worker.get().observe(Watch()).start()
        running = started
        started.ended().whenComplete { _, _ -> if (!isStoppingNow()) publish(ReadinessState.REFUSING_TRAFFIC) }
    }

    override fun stop() {
        drain().join()
    }

    override fun stop(callback: Runnable) {
        drain().whenComplete { _, _ -> callback.run() }
    }

    override fun destroy() {
        stop()
    }

    @Synchronized
    override fun isRunning(): Boolean = running?.ended()?.isDone == false

    /** Begins the shutdown of the worker, once. The result completes when the worker has ended, with or without a report. */
    private fun drain(): CompletableFuture<WorkerReport?> {
        val draining = synchronized(this) {
            val draining = running ?: return CompletableFuture.completedFuture(null)
            if (!isStopping && !draining.ended().isDone) publish(ReadinessState.REFUSING_TRAFFIC)
            isStopping = true
            draining
        }
        return draining.stop().handle { report, _ -> report }
    }

    @Synchronized
    private fun isStoppingNow() = isStopping

    private fun publish(state: ReadinessState) {
        val publisher = context
        if (affectsReadiness && publisher != null) AvailabilityChangeEvent.publish(publisher, this, state)
    }

    /** Whether this worker is the reason why the application refuses traffic. */
    private fun hasRefused(): Boolean = context?.getBeanProvider(ApplicationAvailability::class.java)?.ifAvailable
        ?.getLastChangeEvent(ReadinessState::class.java)
        ?.let { it.source === this && it.state == ReadinessState.REFUSING_TRAFFIC } == true

    private inner class Watch : WorkerObserver {
        override fun unavailable(failure: RunledgerException) {
            if (!isStoppingNow()) publish(ReadinessState.REFUSING_TRAFFIC)
        }

        override fun available() {
            if (!isStoppingNow() && hasRefused()) publish(ReadinessState.ACCEPTING_TRAFFIC)
        }
    }
}
