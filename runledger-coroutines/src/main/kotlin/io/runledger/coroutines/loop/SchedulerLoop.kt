package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Observers
import org.slf4j.LoggerFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.toKotlinDuration

/**
 * Fires schedules when they are due. Sleeps until the next one is, and at the latest for [interval], since schedules may
 * change.
 */
internal class SchedulerLoop(
    private val interval: Duration,
    private val store: LeaseStore,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** One pass. A full one asks for the next at once. */
    suspend fun runOnce(): Duration {
        val due = store.untilNextFire()?.toKotlinDuration() ?: return interval
        if (due > Duration.ZERO) return minOf(due + ROUNDING, interval)
        val pass = store.fire(BATCH)
        pass.fires().forEach { fire -> observers.tell { fired(fire) } }
        pass.deferred().forEach { log.warn("Schedule '{}' cannot fire: {} ({})", it.name(), it.reason(), it.code().wire()) }
        // Nothing handled although something was due: another scheduler holds it.
        return if (pass.schedules() == 0) HELD_ELSEWHERE else Duration.ZERO
    }

    private companion object {
        const val BATCH = 1_000
        val ROUNDING = 1.milliseconds
        val HELD_ELSEWHERE = 200.milliseconds
        val log = LoggerFactory.getLogger(SchedulerLoop::class.java)
    }
}
