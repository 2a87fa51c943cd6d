package io.runledger.coroutines.claim

/**
 * The number of jobs that the next claim asks for: at most [most]. After a claim that found fewer jobs than it asked for,
 * the next claims begin small and double. If many jobs become due at once, the handlers and settlements of the first ones
 * run beside the claims of the others.
 */
internal class ClaimSize(private val most: Int) {
    var next = minOf(FIRST, most)
        private set

    /** A claim of [limit] jobs has leased [jobs]. */
    fun claimed(jobs: Int, limit: Int) {
        next = if (jobs == limit) minOf(maxOf(next, limit) * 2, most) else minOf(FIRST, most)
    }

    private companion object {
        const val FIRST = 128
    }
}
