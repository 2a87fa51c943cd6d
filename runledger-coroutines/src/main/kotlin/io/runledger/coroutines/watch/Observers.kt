package io.runledger.coroutines.watch

import io.runledger.coroutines.WorkerObserver
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration

/** Delivers events to observers, each at its own speed. The publisher of an event never waits. */
internal class Observers(
    observers: List<WorkerObserver>,
    private val scope: CoroutineScope,
    /** Receive the same events at once, and all of them. */
    val meters: Meters = Meters.NONE,
) {
    private val readers = observers.map(::Reader)

    /** Inlined, so that an event without observers costs nothing. */
    inline fun publish(crossinline event: WorkerObserver.() -> Unit) {
        if (!isEmpty) send { event() }
    }

    val isEmpty: Boolean get() = readers.isEmpty()

    fun send(event: WorkerObserver.() -> Unit) = readers.forEach { it.publish(event) }

    /** Waits until the observers have received all events, for at most [limit]; then stops the observers. */
    suspend fun drain(limit: Duration) {
        readers.forEach { it.close() }
        withTimeoutOrNull(limit) { readers.map { it.job }.joinAll() }
        readers.forEach { it.job.cancel() }
    }

    private inner class Reader(private val observer: WorkerObserver) {
        private val events = Channel<WorkerObserver.() -> Unit>(CAPACITY)
        private val isBehind = AtomicBoolean()

        val job: Job = scope.launch(Dispatchers.IO) {
            for (event in events) {
                isBehind.set(false)
                try {
                    runInterruptible { observer.event() }
                } catch (failure: Exception) {
                    log.warn("Observer {} failed; jobs are not affected.", observer.javaClass.name, failure)
                }
            }
        }

        fun publish(event: WorkerObserver.() -> Unit) {
            val sent = events.trySend(event)
            if (sent.isFailure && !sent.isClosed && isBehind.compareAndSet(false, true)) {
                log.warn("Observer {} is {} events behind and misses events: make it faster.", observer.javaClass.name, CAPACITY)
            }
        }

        fun close() = events.close()
    }

    private companion object {
        const val CAPACITY = 1_024
        val log = LoggerFactory.getLogger(WorkerObserver::class.java)
    }
}
