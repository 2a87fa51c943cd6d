package io.runledger.coroutines.loop

/** A ledger's part in the places of its process. */
internal interface Share {
    /** How many places the process has. */
    val places: Int

    /** Called when there may be a place for who was given fewer than it asked for. */
    var onPlace: () -> Unit

    /** Takes up to [most] places for a claim and answers how many there are, which may be none. */
    fun reserve(most: Int): Int

    /** The claim is over and did not need [unused] of its places. One that needed them all has more to claim. */
    fun leave(unused: Int)

    /** A job has come after its claim had left: it is there, so it takes a place, whether one is free or not. */
    fun overdraw()

    /** A job has ended and its place is free. */
    fun giveUp()

    /** There is nothing to be claimed for now: nobody need keep a place for this ledger. */
    fun rest()
}

/** For a worker that serves one ledger: its own limits are all there are. */
internal class WholeShare : Share {
    override val places: Int = Int.MAX_VALUE

    override var onPlace: () -> Unit = {}

    override fun reserve(most: Int): Int = most

    override fun leave(unused: Int) = Unit

    override fun overdraw() = Unit

    override fun giveUp() = Unit

    override fun rest() = Unit
}
