package io.runledger.coroutines.loop

/**
 * Places for running jobs: so many in all, for some types so many of their own, and no more than the ledger's [share] of its
 * process. Counts, and waits for nobody.
 */
internal class Slots(
    private val jobTypes: List<String>,
    private val total: Int,
    private val typeLimits: Map<String, Int>,
    private val share: Share = WholeShare(),
) {
    private val taken = HashMap<String, Int>()
    private var inAll = 0

    /** How many places are taken. */
    @get:Synchronized
    val busy: Int get() = inAll

    /** How many places of the room that was given are not taken yet; null when nobody is in it. */
    private var reserved: Int? = null

    /** The types there is room for, as far as the ledger's own limits go. */
    @get:Synchronized
    val open: List<String> get() = if (inAll < total) jobTypes.filter { free(it) > 0 } else emptyList()

    /** What a claim may ask for. */
    class Room(val jobTypes: List<String>, val limit: Int, val typeLimits: Map<String, Int>, val isNarrowed: Boolean)

    /** The room there is for up to [most] further jobs, or null when there is none. Who is given one [leave]s it. */
    fun room(most: Int): Room? {
        val (wanted, open) = synchronized(this) { minOf(total - inAll, most) to open }
        if (open.isEmpty()) return null.also { share.rest() }
        val limit = share.reserve(wanted)
        if (limit == 0) return null
        return synchronized(this) {
            reserved = limit
            val narrow = open.filter { it in typeLimits }.associateWith(::free).filterValues { it < limit }
            Room(open, limit, narrow, narrow.isNotEmpty() || open.size < jobTypes.size)
        }
    }

    /** The claim that was given room is over, or is not waited for any longer: what it did not take is free. */
    fun leave() {
        val unused = synchronized(this) { reserved.also { reserved = null } } ?: return
        share.leave(unused)
    }

    /** Nothing is claimed for now, or any more. */
    fun rest() = share.rest()

    fun take(jobType: String) {
        val isLate = synchronized(this) {
            inAll++
            taken.merge(jobType, 1, Int::plus)
            reserved = reserved?.dec()
            reserved == null
        }
        if (isLate) share.overdraw()
    }

    fun giveUp(jobType: String) {
        synchronized(this) {
            inAll--
            taken.merge(jobType, -1, Int::plus)
        }
        share.giveUp()
    }

    private fun free(jobType: String): Int = (typeLimits[jobType] ?: return Int.MAX_VALUE) - taken.getOrDefault(jobType, 0)
}
