package io.runledger.console.live

import io.runledger.console.content.Topic
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import io.runledger.exposed.RunledgerClient
import org.slf4j.LoggerFactory
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.ScheduledExecutorService
import java.util.concurrent.TimeUnit

/**
 * Tells open pages that what they show has changed. One statement per [interval] serves all viewers, and none is sent while no
 * page is open.
 *
 * A page says which [Marks] were known before it was read, so no change between its rendering and its subscription is lost.
 */
internal class LiveHub(
    private val reads: RunledgerClient,
    private val interval: Duration,
    private val maxViewers: Int = MAX_VIEWERS,
    private val executor: ScheduledExecutorService = newExecutor(),
    /** Called before viewers hear of a change, so that no page is rendered from what was read before it. */
    private val changed: () -> Unit = {},
) : AutoCloseable {
    private class Viewer(val topic: Topic, val sink: EventSink, @Volatile var seen: String?)

    private val viewers: MutableSet<Viewer> = ConcurrentHashMap.newKeySet()
    private var isTicking = false
    private var turns = 0

    @Volatile
    private var isClosed = false

    /** What the last turn has read. */
    @Volatile
    var marks: Marks = Marks.NONE
        private set

    /**
     * A stream of changes of [topic], for a page that was rendered when the mark of the topic was [seen]; null if it was not
     * known. The result is null if there are too many viewers.
     */
    fun events(topic: Topic, seen: String? = null): ConsoleResponse.Events? {
        if (isClosed || viewers.size >= maxViewers) return null
        return ConsoleResponse.Events { sink ->
            val viewer = Viewer(topic, sink, seen)
            sink.send("retry: 3000\n: open\n\n")
            viewers += viewer
            if (!begin()) sink.end()
            AutoCloseable { viewers -= viewer }
        }
    }

    /** The number of open pages. */
    val viewerCount: Int get() = viewers.size

    /** Reads once and notifies the viewers whose topic has changed. */
    fun runOnce() {
        val watched = viewers.toList()
        if (watched.isEmpty()) return
        turns++
        val read = try {
            Marks.read(reads, watched.mapTo(HashSet()) { it.topic })
        } catch (failure: RuntimeException) {
            log.debug("The changes of the ledger cannot be read; open pages are not notified.", failure)
            return
        }
        if (read != marks) {
            changed()
            marks = read
        }
        watched.forEach { viewer ->
            val mark = read.of(viewer.topic)
            if (viewer.seen != mark) {
                viewer.seen = mark
                send(viewer, "event: change\ndata: $mark\n\n")
            } else if (turns % TURNS_PER_SIGN == 0) {
                // Keeps proxies from closing the connection, and finds the closed ones.
                send(viewer, ": here\n\n")
            }
        }
    }

    private fun send(viewer: Viewer, frame: String) {
        try {
            viewer.sink.send(frame)
        } catch (_: Exception) {
            viewers -= viewer
            end(viewer)
        }
    }

    private fun end(viewer: Viewer) {
        try {
            viewer.sink.end()
        } catch (failure: Exception) {
            log.debug("The connection of a page that is closed already cannot be closed.", failure)
        }
    }

    /** Whether the hub is open. */
    @Synchronized
    private fun begin(): Boolean {
        if (isClosed) return false
        if (!isTicking) {
            isTicking = true
            executor.scheduleWithFixedDelay(::tick, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS)
        }
        return true
    }

    private fun tick() {
        try {
            runOnce()
        } catch (failure: Exception) {
            log.warn("Open pages were not notified of a change.", failure)
        }
    }

    /** Ends the open streams. Browsers open new ones after some seconds. */
    fun endStreams() {
        viewers.toList().forEach { viewer ->
            viewers -= viewer
            end(viewer)
        }
    }

    override fun close() {
        synchronized(this) { isClosed = true }
        executor.shutdownNow()
        endStreams()
    }

    private companion object {
        const val MAX_VIEWERS = 5_000
        const val TURNS_PER_SIGN = 10
        val log = LoggerFactory.getLogger(LiveHub::class.java)

        fun newExecutor(): ScheduledExecutorService = Executors.newSingleThreadScheduledExecutor { task ->
            Thread(task, "runledger-console").apply { isDaemon = true }
        }
    }
}
