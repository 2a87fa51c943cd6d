package io.runledger.coroutines.claim

/**
 * The slots of one process, shared by all the ledgers it serves. If only one ledger has work, it may take all slots. If several
 * have work, each is due an equal share, and a ledger may not take free slots that others lack for their share. So a slot that
 * becomes free goes to the ledger with the fewest, however long the backlog of another is. Running jobs are never stopped for
 * this. If a claim takes so long that its slots are given to others, its jobs are counted beyond the limit until as many jobs
 * have ended.
 *
 * A hungry ledger wants more slots than it has: it was granted fewer than it asked for, or its last claim used all of them.
 */
internal class FairShares(private val slots: Int) {
    private val members = LinkedHashSet<Member>()
    private val hungry = LinkedHashSet<Member>()
    private var taken = 0
    private var grants = 0L

    /** Adds a ledger, which runs at most [cap] jobs at the same time. */
    @Synchronized
    fun join(cap: Int): Member = Member(cap).also(members::add)

    /** The ledger with the fewest slots comes first, then the one with the oldest grant. */
    private val line = compareBy<Member>({ it.mine }, { it.lastGrant })

    /** Applies [change], then notifies the next hungry ledgers, as many as there are free slots. */
    private inline fun changing(change: () -> Unit) {
        val next = synchronized(this) {
            change()
            if (hungry.isEmpty() || taken >= slots) return
            hungry.sortedWith(line).take(slots - taken)
        }
        next.forEach { it.onFreeSlot() }
    }

    inner class Member internal constructor(private val cap: Int) : Share {
        override val slots: Int get() = this@FairShares.slots

        override val isShared: Boolean get() = true

        internal var mine = 0
            private set
        internal var lastGrant = 0L
            private set

        @Volatile
        override var onFreeSlot: () -> Unit = {}

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

        override fun release() = changing { move(-1) }

        override fun rest() = changing { hungry -= this }

        /** Removes the ledger; its jobs keep their slots until they end. */
        fun quit() = changing {
            hungry -= this
            members -= this
        }

        private fun move(slots: Int) {
            mine += slots
            taken += slots
        }

        private fun allowance(): Int {
            val free = maxOf(0, slots - taken)
            val others = hungry.filter { it !== this }
            if (others.isEmpty()) return free
            val busy = members.count { it === this || it.mine > 0 || it in hungry }
            val due = maxOf(1, slots / busy)
            val kept = others.sumOf { maxOf(0, minOf(due, it.cap) - it.mine) }
            // If all free slots are kept for other ledgers, the first in line gets one.
            val isFirst = others.none { line.compare(it, this) < 0 }
            return minOf(free, maxOf(free - kept, if (isFirst) 1 else 0))
        }
    }
}
