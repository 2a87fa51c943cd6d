package io.runledger.coroutines.claim

/**
 * The slots for running handlers, limited by a [total], by limits of single types and by the ledger's [share] of its process;
 * and the jobs that are held until a slot is free, as many as [ahead] allows for each type. Jobs of a type that runs in batches
 * share a slot, as many as [batchSizes] allows; so many are claimed ahead for each free slot. Only counts; never waits.
 */
internal class Slots(
    private val jobTypes: List<String>,
    private val total: Int,
    private val typeLimits: Map<String, Int>,
    private val share: Share = WholeShare(),
    private val batchSizes: Map<String, Int> = emptyMap(),
    private val ahead: (jobType: String) -> Int = { 0 },
) {
    // A process that serves several ledgers shares out its slots with each claim, so none of them claims ahead.
    private val mayHold = !share.isShared

    private val taken = HashMap<String, Int>()
    private var inAll = 0
    private val heldOf = HashMap<String, Int>()
    private var heldInAll = 0

    /** A claim ahead is worth its cost when no more than so many jobs are held. */
    private var fewHeld = 0

    /** How many slots are taken. */
    @get:Synchronized
    val busy: Int get() = inAll

    /** How many jobs are held until a slot is free. */
    @get:Synchronized
    val held: Int get() = heldInAll

    /** Whether so few jobs are held that there may be room for a claim. */
    @get:Synchronized
    val hasFewHeld: Boolean get() = heldInAll <= fewHeld

    /** Whether other ledgers use the same slots. */
    val isShared: Boolean get() = share.isShared

    /** How many slots of the open offer are not taken yet; null if no offer is open. */
    private var reserved: Int? = null

    /** Whether the next claim ahead is for all types, because the last one was for the fast types alone. */
    private var isTurnOfAll = true

    /** The types with a free slot, by the ledger's own limits. */
    @get:Synchronized
    val open: List<String> get() = if (free > 0) jobTypes.filter { free(it) > 0 } else emptyList()

    /**
     * The limits of one claim. If it [isAhead], it may lease more jobs than there are free slots. If it [isPartial], other
     * types may have due jobs, so that another claim follows.
     */
    class Offer(
        val jobTypes: List<String>,
        val limit: Int,
        val typeLimits: Map<String, Int>,
        val isNarrowed: Boolean,
        val isAhead: Boolean = false,
        val isPartial: Boolean = false,
        /** How many of the jobs can begin at once. Jobs that occupy permits are not claimed ahead. */
        val free: Int = limit,
    )

    /**
     * Reserves slots for up to [most] further jobs, or allows to hold some; null if there is room for none. The caller closes
     * the offer with [leave].
     *
     * If all types may be claimed ahead, one claim fills the free slots and the room for held jobs. Otherwise claims take
     * turns: all types, for the slots that are free or become free next; then the types that may be claimed ahead. So a job of
     * another type waits for a slot no longer than the held jobs last, and never in this worker.
     */
    fun offer(most: Int): Offer? {
        val room = room()
        return if (isForFreeSlots(room)) offerFree(most) else offerHeld(room, most)
    }

    /** How many jobs of each type may be claimed ahead, of the types that may. */
    @Synchronized
    private fun room(): Map<String, Int> {
        val room = if (mayHold) jobTypes.associateWith(::room).filterValues { it > 0 } else emptyMap()
        fewHeld = room.values.sum() / 2
        return room
    }

    /** Whether the next claim is for free slots alone. */
    @Synchronized
    private fun isForFreeSlots(room: Map<String, Int>): Boolean {
        val isMixed = room.size < jobTypes.size
        val isForFree = room.isEmpty() || (isMixed && free > 0 && (isTurnOfAll || !hasFewHeld))
        if (isForFree) isTurnOfAll = false
        return isForFree
    }

    private fun offerFree(most: Int): Offer? {
        val (wanted, open) = synchronized(this) { minOf(free, most) to open }
        val limit = if (open.isEmpty()) 0.also { share.rest() } else share.reserve(wanted)
        if (limit == 0) return null
        return synchronized(this) {
            reserved = limit
            val narrow = open.filter { it in typeLimits }.associateWith(::freeJobs).filterValues { it < limit }
            Offer(open, limit, narrow, narrow.isNotEmpty() || open.size < jobTypes.size)
        }
    }

    @Synchronized
    private fun offerHeld(room: Map<String, Int>, most: Int): Offer? {
        val isMixed = room.size < jobTypes.size
        return when {
            !hasFewHeld -> null
            isMixed && isTurnOfAll -> offerToAll(most)
            else -> offerAhead(room, most, isMixed)
        }
    }

    /** Jobs of all types for the slots that are free, or for the one that is free next. */
    private fun offerToAll(most: Int): Offer? {
        isTurnOfAll = false
        val limit = minOf(maxOf(1, total - inAll), most)
        val limits = jobTypes.filter { it in typeLimits }.associateWith(::freeJobs).filterValues { it < limit }
        val types = jobTypes.filter { limits.getOrDefault(it, 1) > 0 }
        if (types.isEmpty()) return null
        return Offer(types, limit, limits.filterValues { it > 0 }, limits.isNotEmpty(), isAhead = true, free = freeOf(limit))
    }

    private fun offerAhead(room: Map<String, Int>, most: Int, isMixed: Boolean): Offer? {
        isTurnOfAll = isMixed
        val single = if (room.keys.all { it in batchSizes }) 0 else total - inAll
        val limit = minOf(single + room.values.sum() - heldInAll, most)
        val limits = room.filterKeys { it in typeLimits }.mapValues { (type, more) ->
            if (type in batchSizes) more - heldOf.getOrDefault(type, 0) else free(type) + more
        }.filterValues { it < limit }
        val types = room.keys.filter { limits.getOrDefault(it, 1) > 0 }
        if (limit <= 0 || types.isEmpty()) return null
        val atOnce = limits.filterValues { it > 0 }
        return Offer(types, limit, atOnce, limits.isNotEmpty(), isAhead = true, isPartial = isMixed, free = freeOf(limit))
    }

    /** How many of [limit] jobs can begin at once. */
    private fun freeOf(limit: Int): Int = (total - inAll - heldInAll).coerceIn(0, limit)

    /** The last claim took all jobs that were due. The next one is for all types, so that none of them needs a second claim. */
    @Synchronized
    fun tookAll() {
        isTurnOfAll = true
    }

    /** Closes the offer, because the claim has ended or takes too long. The slots that it has not taken become free. */
    fun leave() {
        val unused = synchronized(this) { reserved.also { reserved = null } } ?: return
        share.leave(unused)
    }

    /** Nothing is claimed for now, so no slot is kept for this ledger. */
    fun rest() = share.rest()

    /** Takes a slot for a job whose claim reserved it. */
    fun take(jobType: String) {
        val isLate = synchronized(this) {
            count(jobType)
            reserved = reserved?.dec()
            reserved == null
        }
        if (isLate) share.overdraw()
    }

    /** Takes a slot for a job that was claimed ahead; false if there is none. */
    @Synchronized
    fun takeFree(jobType: String): Boolean {
        // The slots of an open offer are kept for its jobs.
        val isFull = inAll + (reserved ?: 0) >= total || typeLimits[jobType]?.let { it <= taken.getOrDefault(jobType, 0) } == true
        if (isFull) return false
        count(jobType)
        return true
    }

    /**
     * Takes a slot for a new job, without an offer; false if there is none, if other jobs or ledgers wait for one, or if jobs of
     * the type run in batches.
     */
    @Synchronized
    fun takeIdle(jobType: String): Boolean = !share.isShared && heldInAll == 0 && jobType !in batchSizes && takeFree(jobType)

    /** A job is held until there is a slot for it. */
    @Synchronized
    fun hold(jobType: String) {
        heldInAll++
        heldOf.merge(jobType, 1, Int::plus)
    }

    /** So many [jobs] are not held any more. */
    @Synchronized
    fun letGo(jobType: String, jobs: Int) {
        heldInAll -= jobs
        heldOf.merge(jobType, -jobs, Int::plus)
    }

    fun release(jobType: String) {
        synchronized(this) {
            inAll--
            taken.merge(jobType, -1, Int::plus)
        }
        share.release()
    }

    private fun count(jobType: String) {
        inAll++
        taken.merge(jobType, 1, Int::plus)
    }

    /** The slots that are free and that no held job can use. */
    private val free: Int
        get() {
            val usable = if (typeLimits.isEmpty() && batchSizes.isEmpty()) {
                heldInAll
            } else {
                heldOf.keys.sumOf { type -> minOf(slotsOfHeld(type), vacant(type)) }
            }
            return total - inAll - usable
        }

    private fun vacant(jobType: String): Int = typeLimits[jobType]?.let { maxOf(0, it - taken.getOrDefault(jobType, 0)) } ?: total

    /** How many slots the limit of [jobType] leaves free. */
    private fun free(jobType: String): Int {
        val limit = typeLimits[jobType] ?: return Int.MAX_VALUE
        return limit - taken.getOrDefault(jobType, 0) - slotsOfHeld(jobType)
    }

    /** How many jobs the limit of [jobType] leaves room for. */
    private fun freeJobs(jobType: String): Int =
        (free(jobType).toLong() * sizeOf(jobType)).coerceAtMost(Int.MAX_VALUE.toLong()).toInt()

    private fun sizeOf(jobType: String): Int = batchSizes[jobType] ?: 1

    private fun slotsOfHeld(jobType: String): Int {
        val size = sizeOf(jobType)
        return (heldOf.getOrDefault(jobType, 0) + size - 1) / size
    }

    /** How many jobs of [jobType] may be held: those that handlers turn over soon, and a full batch for each free slot. */
    private fun room(jobType: String): Int {
        val size = batchSizes[jobType] ?: return ahead(jobType)
        val vacant = minOf(vacant(jobType), total - inAll).coerceIn(0, WORTH_FILLING)
        return ahead(jobType) + vacant * size
    }

    private companion object {
        /** One claim fills no more slots. */
        const val WORTH_FILLING = 1_000
    }
}
