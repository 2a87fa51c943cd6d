package io.runledger.ktor

import io.ktor.events.EventDefinition
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStarted
import io.ktor.server.application.ApplicationStopPreparing
import io.ktor.server.application.ApplicationStopping
import io.ktor.server.application.log
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import kotlinx.coroutines.DisposableHandle

/** The ledger of an application, as `application.plugin(Runledger)` returns it. */
public class InstalledLedger internal constructor(
    application: Application,
    /** The client of the ledger. */
    public val client: RunledgerClient,
    worker: RunledgerWorker?,
) {
    private val worker = ApplicationWorker(worker, application.log)
    private val probe = LedgerProbe(client)
    private val subscriptions = ArrayList<DisposableHandle>()

    /** What the worker of the application does now. */
    public val workerPhase: WorkerPhase get() = worker.phase

    init {
        // The events of all applications that a server has loaded one after the other go through one monitor.
        fun <T> on(event: EventDefinition<T>, subject: T, react: () -> Unit) {
            subscriptions += application.monitor.subscribe(event) { if (it === subject) react() }
        }
        on(ApplicationStarted, application) { this.worker.start() }
        // Some engines raise it before they stop to serve calls, others do not raise it. A reload does not raise it either.
        on(ApplicationStopPreparing, application.environment) { this.worker.drain() }
        on(ApplicationStopping, application) { end() }
    }

    /** Whether the application should receive calls: its worker, if it has one, runs, and the ledger answers. */
    internal suspend fun health(): HealthReport = HealthReport(worker.phase, client.schema, probe.read())

    private fun end() {
        try {
            worker.drain()
        } finally {
            subscriptions.forEach { it.dispose() }
            probe.close()
        }
    }
}
