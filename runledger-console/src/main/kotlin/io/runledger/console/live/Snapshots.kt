package io.runledger.console.live

import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

/**
 * Answers that all viewers of a page share for [lifetime]. Many viewers who ask at the same time cause one read; the others wait
 * for it. A failed read is not kept.
 */
internal class Snapshots(private val lifetime: Duration, private val nanoTime: () -> Long = System::nanoTime) {
    data class Key(val scope: Scope, val what: String)

    private class Entry(val value: CompletableFuture<Any>, val expires: Long)

    private val entries = object : LinkedHashMap<Key, Entry>(64, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<Key, Entry>): Boolean = size > MAX_ENTRIES
    }

    @Suppress("UNCHECKED_CAST") // a key is always read by the same function
    fun <T : Any> get(key: Key, read: () -> T): T {
        val now = nanoTime()
        var isMine = false
        val entry = synchronized(entries) {
            entries[key]?.takeIf { it.expires - now > 0 } ?: Entry(CompletableFuture(), now + lifetime.toNanos()).also {
                // Answers can be large, so expired ones are not kept.
                entries.values.removeIf { old -> old.expires - now <= 0 }
                entries[key] = it
                isMine = true
            }
        }
        if (isMine) {
            try {
                entry.value.complete(read())
            } catch (failure: Throwable) {
                synchronized(entries) { entries.remove(key, entry) }
                entry.value.completeExceptionally(failure)
            }
        }
        return try {
            entry.value.join() as T
        } catch (failure: CompletionException) {
            throw failure.cause ?: failure
        }
    }

    /** Forgets all answers, so that an operator sees what an action has just changed. */
    fun clear() = synchronized(entries) { entries.clear() }

    private companion object {
        const val MAX_ENTRIES = 500
    }
}
