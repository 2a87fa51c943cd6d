package io.runledger.coroutines.claim

/**
 * The slots for running jobs, limited by a [total], by limits of single types and by the ledger's [share] of its process. Only
 * counts; never waits.
 */
internal class Slots(
    private val jobTypes: List<String>,
    private val total: Int,
    private val typeLimits: Map<String, Int>,
    private val share: Share = WholeShare(),
) {
    private val taken = HashMap<String, Int>()
    private var inAll = 0

    /** How many slots are taken. */
    @get:Synchronized
    val busy: Int get() = inAll

    /** How many slots of the open offer are not taken yet; null if no offer is open. */
    private var reserved: Int? = null

    /** The types with a free slot, by the ledger's own limits. */
    @get:Synchronized
    val open: List<String> get() = if (inAll < total) jobTypes.filter { free(it) > 0 } else emptyList()

    /** The limits of one claim. */
    class Offer(val jobTypes: List<String>, val limit: Int, val typeLimits: Map<String, Int>, val isNarrowed: Boolean)

    /** Reserves slots for up to [most] further jobs; null if there are none. The caller closes the offer with [leave]. */
    fun offer(most: Int): Offer? {
        val (wanted, open) = synchronized(this) { minOf(total - inAll, most) to open }
        if (open.isEmpty()) return null.also { share.rest() }
        val limit = share.reserve(wanted)
        if (limit == 0) return null
        return synchronized(this) {
            reserved = limit
            val narrow = open.filter { it in typeLimits }.associateWith(::free).filterValues { it < limit }
            Offer(open, limit, narrow, narrow.isNotEmpty() || open.size < jobTypes.size)
        }
    }

    /** Closes the offer, because the claim has ended or takes too long. The slots that it has not taken become free. */
    fun leave() {
        val unused = synchronized(this) { reserved.also { reserved = null } } ?: return
        share.leave(unused)
    }

    /** Nothing is claimed for now, so no slot is kept for this ledger. */
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

    fun release(jobType: String) {
        synchronized(this) {
            inAll--
            taken.merge(jobType, -1, Int::plus)
        }
        share.release()
    }

    private fun free(jobType: String): Int = (typeLimits[jobType] ?: return Int.MAX_VALUE) - taken.getOrDefault(jobType, 0)
}
