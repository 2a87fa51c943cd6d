package io.runledger.coroutines.loop

/**
 * The places of one process, for all the ledgers it serves. A ledger that is alone in having work may take them all. While others
 * have work, too, each is due an equal part, and what others lack of theirs is not taken from the free places: however much one
 * ledger has queued, a place that becomes free goes to who has fewer. Running jobs are never stopped for it. Jobs of a claim that
 * took so long that its places were given to others are counted above the places there are, until as many have ended.
 *
 * Who wants more than it has is hungry: its claim was refused a place, or brought all it asked for.
 */
internal class FairShares(private val places: Int) {
    private val members = LinkedHashSet<Member>()
    private val hungry = LinkedHashSet<Member>()
    private var taken = 0
    private var grants = 0L

    /** A share for one more ledger, which runs at most [cap] jobs at once. */
    @Synchronized
    fun join(cap: Int): Member = Member(cap).also(members::add)

    /** Who has least comes first, then who was given a place the longest time ago. */
    private val line = compareBy<Member>({ it.mine }, { it.lastGrant })

    /** Tells those who come next, as many as there are places. */
    private inline fun changing(change: () -> Unit) {
        val next = synchronized(this) {
            change()
            if (hungry.isEmpty() || taken >= places) return
            hungry.sortedWith(line).take(places - taken)
        }
        next.forEach { it.onPlace() }
    }

    inner class Member internal constructor(private val cap: Int) : Share {
        override val places: Int get() = this@FairShares.places

        internal var mine = 0
            private set
        internal var lastGrant = 0L
            private set

        @Volatile
        override var onPlace: () -> Unit = {}

        override fun reserve(most: Int): Int = synchronized(this@FairShares) {
            val granted = minOf(most, allowance())
            move(granted)
            if (granted > 0) lastGrant = ++grants
            if (granted < most) hungry += this
            granted
        }

        override fun leave(unused: Int) = changing {
            move(-unused)
            if (unused == 0) hungry += this else hungry -= this
        }

        override fun overdraw() = synchronized(this@FairShares) { move(1) }

        override fun giveUp() = changing { move(-1) }

        override fun rest() = changing { hungry -= this }

        /** The ledger is served no more; its jobs keep their places until they end. */
        fun quit() = changing {
            hungry -= this
            members -= this
        }

        private fun move(places: Int) {
            mine += places
            taken += places
        }

        private fun allowance(): Int {
            val free = maxOf(0, places - taken)
            val others = hungry.filter { it !== this }
            if (others.isEmpty()) return free
            val busy = members.count { it === this || it.mine > 0 || it in hungry }
            val due = maxOf(1, places / busy)
            val kept = others.sumOf { maxOf(0, minOf(due, it.cap) - it.mine) }
            // When everything that is free is kept for somebody, the first in line gets it.
            val isFirst = others.none { line.compare(it, this) < 0 }
            return minOf(free, maxOf(free - kept, if (isFirst) 1 else 0))
        }
    }
}
