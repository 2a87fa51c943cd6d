package io.runledger.console.app

import java.security.SecureRandom
import java.time.Duration
import java.util.Base64

/** The browsers that have signed in. A session ends when it is not used for [idle]. */
internal class Sessions(private val idle: Duration = Duration.ofHours(12), private val nanoTime: () -> Long = System::nanoTime) {
    private val random = SecureRandom()
    private val used = object : LinkedHashMap<String, Long>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, Long>): Boolean = size > MAX_SESSIONS
    }

    fun newSecret(): String =
        ByteArray(SECRET_BYTES).also(random::nextBytes).let(Base64.getUrlEncoder().withoutPadding()::encodeToString)

    /** Begins a session and returns its id. */
    fun open(): String = newSecret().also { id -> synchronized(used) { used[id] = nanoTime() } }

    fun isOpen(id: String?): Boolean = synchronized(used) {
        val now = nanoTime()
        val last = used[id ?: return false] ?: return false
        if (now - last > idle.toNanos()) {
            used -= id
            false
        } else {
            used[id] = now
            true
        }
    }

    fun end(id: String?) {
        synchronized(used) { used.remove(id) }
    }

    private companion object {
        const val SECRET_BYTES = 32
        const val MAX_SESSIONS = 1_000
    }
}
