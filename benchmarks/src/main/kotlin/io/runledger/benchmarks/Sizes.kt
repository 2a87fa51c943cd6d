package io.runledger.benchmarks

/** How long and how large things are measured. */
data class Sizes(
    val isFull: Boolean,
    /** Drains of three seconds that do not count. */
    val warmUps: Int,
    /** How often a rate is measured, in turns with the other contenders; the median counts. */
    val rounds: Int,
    /** The same for drains by new processes, which take longer. */
    val freshRounds: Int,
    /** How long one drain should take; the number of jobs follows from the rate of the warm-up. */
    val drainSeconds: Double,
    val maxDrainJobs: Int,
    /** The number of jobs of every drain, whatever the rate; null for the scenario to decide. */
    val jobs: Int? = null,
    /** Fewer than so many jobs are never drained. */
    val minJobs: Int,
    val enqueueSeconds: Double,
    val pickups: Int,
    val pickupSeconds: Int,
    /** How long runs are kept in flight for one figure. */
    val flowSeconds: Double,
    /** How long a worker runs workflows before they count. */
    val flowWarmUpSeconds: Double,
) {
    companion object {
        val QUICK =
            Sizes(
                isFull = false,
                warmUps = 1,
                rounds = 3,
                freshRounds = 1,
                drainSeconds = 1.0,
                maxDrainJobs = 60_000,
                minJobs = 300,
                enqueueSeconds = 0.7,
                pickups = 50,
                pickupSeconds = 2,
                flowSeconds = 1.0,
                flowWarmUpSeconds = 4.0,
            )
        val FULL =
            Sizes(
                isFull = true,
                warmUps = 4,
                rounds = 5,
                freshRounds = 3,
                drainSeconds = 2.0,
                maxDrainJobs = 150_000,
                minJobs = 400,
                enqueueSeconds = 1.5,
                pickups = 200,
                pickupSeconds = 9,
                flowSeconds = 3.0,
                flowWarmUpSeconds = 12.0,
            )
    }
}
