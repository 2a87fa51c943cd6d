package io.runledger.coroutines.watch

import io.runledger.coroutines.WorkerMeter
import org.slf4j.LoggerFactory
import java.util.concurrent.atomic.AtomicBoolean

/** Passes events to the meters of a worker, on the thread of the event. Without a meter, an event costs a comparison. */
internal class Meters(meters: List<WorkerMeter>) {
    val all: Array<WorkerMeter> = meters.toTypedArray()
    private val hasFailed = AtomicBoolean()

    val isEmpty: Boolean get() = all.isEmpty()

    /** Inlined, so that an event allocates nothing. */
    inline fun tell(event: WorkerMeter.() -> Unit) {
        for (meter in all) {
            try {
                meter.event()
            } catch (failure: Throwable) {
                failed(meter, failure)
            }
        }
    }

    fun failed(meter: WorkerMeter, failure: Throwable) {
        if (!hasFailed.compareAndSet(false, true)) return
        log.warn("Meter {} failed and misses events; jobs are not affected. It is logged once.", meter.javaClass.name, failure)
    }

    companion object {
        val NONE = Meters(emptyList())
        private val log = LoggerFactory.getLogger(WorkerMeter::class.java)
    }
}
