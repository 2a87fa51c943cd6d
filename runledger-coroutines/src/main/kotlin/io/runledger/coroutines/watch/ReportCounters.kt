package io.runledger.coroutines.watch

import io.runledger.coroutines.WorkerReport
import io.runledger.model.fleet.WorkerOrder
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicLong

/** Counts the results of attempts for the report. */
internal class ReportCounters {
    private val finished = AtomicLong()
    private val released = AtomicLong()
    private val lost = AtomicLong()
    private val abandoned = ConcurrentLinkedQueue<UUID>()

    fun finished() {
        finished.incrementAndGet()
    }

    fun released() {
        released.incrementAndGet()
    }

    fun lost() {
        lost.incrementAndGet()
    }

    fun abandoned(jobId: UUID) {
        abandoned += jobId
    }

    fun report(workerId: String, stopOrder: WorkerOrder?): WorkerReport =
        WorkerReport(workerId, finished.get(), released.get(), lost.get(), abandoned.distinct(), stopOrder)
}
