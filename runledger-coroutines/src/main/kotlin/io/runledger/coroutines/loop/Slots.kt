package io.runledger.coroutines.loop

/** Places for running jobs: so many in all, and for some types so many of their own. Counts, and waits for nobody. */
internal class Slots(private val jobTypes: List<String>, private val total: Int, private val typeLimits: Map<String, Int>) {
    private val taken = HashMap<String, Int>()
    private var inAll = 0

    /** What a claim may ask for. */
    class Room(val jobTypes: List<String>, val limit: Int, val typeLimits: Map<String, Int>, val isNarrowed: Boolean)

    /** The room there is for up to [most] further jobs, or null when there is none. */
    @Synchronized
    fun room(most: Int): Room? {
        val limit = minOf(total - inAll, most)
        val open = jobTypes.filter { free(it) > 0 }
        if (limit <= 0 || open.isEmpty()) return null
        val narrow = open.filter { it in typeLimits }.associateWith(::free).filterValues { it < limit }
        return Room(open, limit, narrow, narrow.isNotEmpty() || open.size < jobTypes.size)
    }

    @Synchronized
    fun take(jobType: String) {
        inAll++
        taken.merge(jobType, 1, Int::plus)
    }

    @Synchronized
    fun giveUp(jobType: String) {
        inAll--
        taken.merge(jobType, -1, Int::plus)
    }

    private fun free(jobType: String): Int = (typeLimits[jobType] ?: return Int.MAX_VALUE) - taken.getOrDefault(jobType, 0)
}
