package io.runledger.samples.demo

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.samples.OrderJobs
import io.runledger.samples.Parcel
import kotlinx.coroutines.delay
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** Picks items, aisle by aisle. */
internal object Warehouse {
    const val AISLES = 12L
    private const val BLOCKED_AISLE = 3L
    private val walk = 180.milliseconds

    val handlers: Handlers = handlers {
        on(OrderJobs.pick) { job ->
            val begin = job.checkpoint<Long>() ?: 0
            for (aisle in begin + 1..AISLES) {
                delay(walk)
                job.keepCheckpoint(aisle)
                job.reportProgress(aisle, AISLES)
                if (aisle == BLOCKED_AISLE && job.payload().item == "shade") {
                    return@on JobOutcome.retry("warehouse.aisle_blocked", "A forklift blocks aisle $aisle.")
                }
            }
            Parcel(job.payload().item)
        }
    }

    /** A short lease, so that the jobs of a killed process are recovered quickly. */
    fun open(client: RunledgerClient, name: String): RunningWorker = RunledgerWorker.builder(client)
        .handlers(handlers)
        .config {
            it.workerId(name).lease(Duration.ofSeconds(4))
                .reaperInterval(Duration.ofMillis(250)).reaperRetryDelay(Duration.ofMillis(100))
        }
        .start()
}
