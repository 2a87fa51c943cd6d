package io.runledger.coroutines.housekeeping

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.HousekeepingPort
import io.runledger.coroutines.watch.Observers
import org.slf4j.LoggerFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.toKotlinDuration

/**
 * Fires schedules when they are due. Sleeps until the next one is due, and for at most [interval], because schedules may change.
 */
internal class SchedulerLoop(
    private val interval: Duration,
    private val port: HousekeepingPort,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Runs one pass. Returns the pause until the next: zero if a schedule was handled. */
    suspend fun runOnce(): Duration {
        val due = port.untilNextFire()?.toKotlinDuration() ?: return interval
        if (due > Duration.ZERO) return minOf(due + ROUNDING, interval)
        val pass = port.fire(BATCH)
        pass.fires().forEach { fire ->
            observers.meters.tell { fired(fire) }
            observers.publish { fired(fire) }
        }
        pass.deferred().forEach { log.warn("Schedule '{}' cannot fire: {} ({})", it.name(), it.reason(), it.code().wire()) }
        // A schedule was due and none was handled: another scheduler holds it.
        return if (pass.schedules() == 0) HELD_ELSEWHERE else Duration.ZERO
    }

    private companion object {
        const val BATCH = 1_000
        val ROUNDING = 1.milliseconds
        val HELD_ELSEWHERE = 200.milliseconds
        val log = LoggerFactory.getLogger(SchedulerLoop::class.java)
    }
}
