package io.runledger.micrometer

import io.runledger.model.fleet.FleetMetrics
import org.slf4j.LoggerFactory
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/**
 * Reads the load of the fleet for all gauges of a scrape at once: a reading serves until it is [maxAge] old. One thread reads at
 * a time. A scrape waits for it, but all gauges of a scrape together for at most [patience], so that a database without an
 * answer does not block the scrape.
 */
internal class FleetReading(
    private val maxAge: Duration,
    private val patience: Duration,
    private val clock: () -> Long,
    private val read: () -> FleetMetrics,
) {
    private class Reading(val fleet: FleetMetrics?, val readAt: Long)

    private class Pending(val begunAt: Long) {
        val fleet = CompletableFuture<FleetMetrics?>()
    }

    private var last: Reading? = null
    private var pending: Pending? = null
    private var isFailing = false

    /** The load, or null if the database cannot be read. */
    fun current(): FleetMetrics? {
        val underWay = synchronized(this) {
            last?.let { if (clock() - it.readAt < maxAge.toNanos()) return it.fleet }
            pending ?: begin()
        }
        val left = patience.toNanos() - (clock() - underWay.begunAt)
        return if (left <= 0) underWay.fleet.getNow(null) else await(underWay, left)
    }

    /** Begins to read, unless a reading is under way or is still fresh. */
    @Synchronized
    fun refresh() {
        if (last == null && pending == null) begin()
    }

    private fun await(underWay: Pending, nanos: Long): FleetMetrics? = try {
        underWay.fleet.get(nanos, TimeUnit.NANOSECONDS)
    } catch (late: TimeoutException) {
        log.debug("The load of the fleet was not read within {}.", patience, late)
        null
    } catch (interrupted: InterruptedException) {
        Thread.currentThread().interrupt()
        log.debug("The scrape was interrupted.", interrupted)
        null
    }

    private fun begin(): Pending {
        val begun = Pending(clock())
        pending = begun
        Thread({ finish(begun) }, "runledger-fleet-metrics").apply { isDaemon = true }.start()
        return begun
    }

    private fun finish(begun: Pending) {
        val fleet = readOrNull()
        synchronized(this) {
            last = Reading(fleet, clock())
            pending = null
        }
        begun.fleet.complete(fleet)
    }

    private fun readOrNull(): FleetMetrics? = try {
        read().also { isFailing = false }
    } catch (failure: Throwable) {
        // Logged when it begins: a scrape every few seconds must not fill the log.
        if (!isFailing) log.warn("The load of the fleet cannot be read; its gauges are NaN until it can.", failure)
        isFailing = true
        null
    }

    private companion object {
        val log = LoggerFactory.getLogger(LedgerMetrics::class.java)
    }
}
