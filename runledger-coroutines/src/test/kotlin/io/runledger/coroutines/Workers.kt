package io.runledger.coroutines

import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import java.time.Duration

/** Polls often, so that tests wait for the database and not for a poll; stops quickly. */
fun quick(settings: WorkerConfig.Builder.() -> Unit = {}): WorkerConfig = WorkerConfig.builder()
    .pollInterval(Duration.ofMillis(20))
    .maxPollInterval(Duration.ofMillis(200))
    .shutdownGrace(Duration.ZERO)
    .stopGrace(Duration.ofSeconds(10))
    .reaper(false)
    .scheduler(false)
    .apply(settings)
    .build()

/** Runs a worker while [test] runs, and gives what it reported. */
suspend fun working(
    client: RunledgerClient,
    handlers: Handlers,
    config: WorkerConfig = quick(),
    settings: RunledgerWorker.Builder.() -> Unit = {},
    test: suspend (Witness) -> Unit,
): WorkerReport {
    val witness = Witness()
    val worker = RunledgerWorker.builder(client).handlers(handlers).config(config).observe(witness).apply(settings).start()
    try {
        test(witness)
    } finally {
        worker.close()
    }
    return worker.ended().join()
}
