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

/** Hands events to observers, each at its own pace; nobody who tells anything ever waits. */
internal class Observers(observers: List<WorkerObserver>, private val scope: CoroutineScope) {
    private val readers = observers.map(::Reader)

    fun tell(event: WorkerObserver.() -> Unit) = readers.forEach { it.tell(event) }

    /** Waits for what has been told, up to [limit] each; an observer that hangs is left behind. */
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

        fun tell(event: WorkerObserver.() -> Unit) {
            val isTold = events.trySend(event)
            if (isTold.isFailure && !isTold.isClosed && isBehind.compareAndSet(false, true)) {
                log.warn("Observer {} is {} events behind and misses some.", observer.javaClass.name, CAPACITY)
            }
        }

        fun close() = events.close()
    }

    private companion object {
        const val CAPACITY = 1_024
        val log = LoggerFactory.getLogger(WorkerObserver::class.java)
    }
}
