package io.runledger.console.visit

import java.util.concurrent.TimeUnit

/** Lets each of [MAX_KEYS] keys do something [burst] times at once, and [perMinute] times a minute after that. */
internal class Allowances(
    private val burst: Double,
    private val perMinute: Double,
    private val nanoTime: () -> Long = System::nanoTime,
) {
    private class Allowance(var left: Double, var at: Long)

    private val byKey = object : LinkedHashMap<String, Allowance>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, Allowance>): Boolean = size > MAX_KEYS
    }

    /** Whether [key] may do it once more. That uses up a part of its allowance. */
    fun take(key: String): Boolean = synchronized(byKey) {
        val allowance = current(key)
        (allowance.left >= 1).also { if (it) allowance.left-- }
    }

    /** Whether [key] may do it once more. */
    fun has(key: String): Boolean = synchronized(byKey) { current(key).left >= 1 }

    private fun current(key: String): Allowance {
        val now = nanoTime()
        val allowance = byKey.getOrPut(key) { Allowance(burst, now) }
        val earned = (now - allowance.at) * perMinute / TimeUnit.MINUTES.toNanos(1)
        allowance.left = minOf(burst, allowance.left + earned)
        allowance.at = now
        return allowance
    }

    private companion object {
        const val MAX_KEYS = 10_000
    }
}
