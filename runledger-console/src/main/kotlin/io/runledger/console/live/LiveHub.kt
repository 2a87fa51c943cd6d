package io.runledger.console.live

import io.runledger.console.content.Topic
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import io.runledger.exposed.RunledgerClient
import org.slf4j.LoggerFactory
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.ScheduledExecutorService
import java.util.concurrent.TimeUnit

/**
 * Tells open pages that what they show has changed. One statement per [interval] serves all viewers, and none is sent while no page
 * is open.
 */
internal class LiveHub(
    private val reads: RunledgerClient,
    private val interval: Duration,
    private val maxViewers: Int = MAX_VIEWERS,
    private val executor: ScheduledExecutorService = newExecutor(),
) : AutoCloseable {
    private class Viewer(val topic: Topic, val sink: EventSink) {
        @Volatile
        var seen: String? = null
    }

    private val viewers: MutableSet<Viewer> = ConcurrentHashMap.newKeySet()
    private var isTicking = false
    private var turns = 0

    /** A stream of changes of [topic], or null if there are too many viewers: their pages ask again by themselves. */
    fun events(topic: Topic): ConsoleResponse.Events? {
        if (viewers.size >= maxViewers) return null
        return ConsoleResponse.Events { sink ->
            val viewer = Viewer(topic, sink)
            sink.send("retry: 3000\n: open\n\n")
            viewers += viewer
            begin()
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
        val marks = try {
            reads.changes(
                watched.mapNotNullTo(HashSet()) { (it.topic as? Topic.OfJob)?.id },
                watched.mapNotNullTo(HashSet()) { (it.topic as? Topic.OfRun)?.id },
            )
        } catch (failure: RuntimeException) {
            log.debug("The changes of the ledger cannot be read; open pages are not notified.", failure)
            return
        }
        watched.forEach { viewer ->
            val mark = when (val topic = viewer.topic) {
                Topic.Ledger -> marks.ledger()
                is Topic.OfJob -> marks.jobs()[topic.id] ?: GONE
                is Topic.OfRun -> marks.runs()[topic.id] ?: GONE
            }
            val isFirst = viewer.seen == null
            if (viewer.seen != mark) {
                viewer.seen = mark
                // The page was rendered just before it subscribed.
                send(viewer, if (isFirst) ": seen\n\n" else "event: change\ndata: ${UUID.nameUUIDFromBytes(mark.toByteArray())}\n\n")
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
            viewer.sink.end()
        }
    }

    @Synchronized
    private fun begin() {
        if (isTicking) return
        isTicking = true
        executor.scheduleWithFixedDelay(::tick, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS)
    }

    private fun tick() {
        try {
            runOnce()
        } catch (failure: Exception) {
            log.warn("Open pages were not notified of a change.", failure)
        }
    }

    override fun close() {
        executor.shutdownNow()
        viewers.forEach { it.sink.end() }
        viewers.clear()
    }

    private companion object {
        const val MAX_VIEWERS = 5_000
        const val TURNS_PER_SIGN = 10
        const val GONE = "gone"
        val log = LoggerFactory.getLogger(LiveHub::class.java)

        fun newExecutor(): ScheduledExecutorService = Executors.newSingleThreadScheduledExecutor { task ->
            Thread(task, "runledger-console").apply { isDaemon = true }
        }
    }
}
