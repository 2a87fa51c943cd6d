package io.runledger.benchmarks

/** How long and how large things are measured. */
data class Sizes(
    val isFull: Boolean,
    /** Drains of three seconds that do not count. */
    val warmUps: Int,
    /** Rounds of the plain drain, taken in turns by the contenders; the median counts. */
    val drainRounds: Int,
    /** How long one drain should take; the number of jobs follows from the rate of the warm-up. */
    val drainSeconds: Double,
    val maxDrainJobs: Int,
    /** The number of jobs to drain, whatever the rate; null for the rate to decide. */
    val drainJobs: Int? = null,
    /** Fewer than so many jobs are never drained. */
    val minJobs: Int,
    val enqueueSeconds: Double,
    val pickups: Int,
    val pickupSeconds: Int,
) {
    companion object {
        val QUICK =
            Sizes(
                isFull = false,
                warmUps = 1,
                drainRounds = 1,
                drainSeconds = 1.5,
                maxDrainJobs = 60_000,
                minJobs = 300,
                enqueueSeconds = 1.0,
                pickups = 50,
                pickupSeconds = 2,
            )
        val FULL =
            Sizes(
                isFull = true,
                warmUps = 4,
                drainRounds = 3,
                drainSeconds = 2.0,
                maxDrainJobs = 150_000,
                minJobs = 400,
                enqueueSeconds = 1.5,
                pickups = 200,
                pickupSeconds = 9,
            )
    }
}
