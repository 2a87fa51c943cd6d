package io.runledger.coroutines.crash.chaos

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/** The answers of the ledger to requests with keys. */
internal class Acknowledged {
    private val answers = ConcurrentHashMap.newKeySet<UUID>()
    private val inserted = ConcurrentHashMap<UUID, Int>()
    private val missing = ConcurrentHashMap<String, Int>()

    /** All jobs or runs that the ledger reported. */
    val ids: Set<UUID> get() = answers

    /** Those that were reported as new more than once. */
    val insertedTwice: Set<UUID> get() = inserted.filterValues { it > 1 }.keys

    /** How often an answer did not come. */
    val missed: Int get() = missing.values.sum()

    fun missed(key: String): Int = missing[key] ?: 0

    fun add(id: UUID, isNew: Boolean) {
        answers += id
        if (isNew) inserted.merge(id, 1, Int::plus)
    }

    fun miss(key: String) {
        missing.merge(key, 1, Int::plus)
    }
}
