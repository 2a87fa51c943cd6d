package io.runledger.coroutines.claim

/** A ledger's share of the slots of its process. */
internal interface Share {
    /** How many slots the process has. */
    val slots: Int

    /** Whether other ledgers use the same slots. */
    val isShared: Boolean

    /** Called when a slot may be free and the last [reserve] was granted fewer slots than it asked for. */
    var onFreeSlot: () -> Unit

    /** Reserves up to [most] slots for a claim. Returns how many it has reserved, possibly none. */
    fun reserve(most: Int): Int

    /** The claim has ended and did not use [unused] of its slots. If it used all, there may be more to claim. */
    fun leave(unused: Int)

    /** A job arrives after its claim has returned its slots. The job takes a slot even if none is free. */
    fun overdraw()

    /** A job has ended and frees its slot. */
    fun release()

    /** The ledger has nothing to claim for now, so no slot is kept for it. */
    fun rest()
}

/** The share of a worker that serves one ledger: only its own limits apply. */
internal class WholeShare : Share {
    override val slots: Int = Int.MAX_VALUE

    override val isShared: Boolean get() = false

    override var onFreeSlot: () -> Unit = {}

    override fun reserve(most: Int): Int = most

    override fun leave(unused: Int) = Unit

    override fun overdraw() = Unit

    override fun release() = Unit

    override fun rest() = Unit
}
