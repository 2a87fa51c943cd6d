package io.runledger.exposed.signal

/**
 * The signals to deliver a second time. A client does not notify for jobs that become due shortly after other jobs of their
 * type, see [Announcements]. The second delivery covers these jobs.
 */
internal class RepeatedNotifications(private val clock: () -> Long = System::nanoTime) {
    private val due = HashMap<Signal, Long>()

    /** The time until the next repeated signal, at most [longest]. */
    fun millisUntilNext(longest: Int): Int {
        val next = due.values.minOfOrNull { it - clock() } ?: return longest
        return (next / NANOS_PER_MILLI + 1).coerceIn(1L, longest.toLong()).toInt()
    }

    fun received(signal: Signal) {
        if (signal is Signal.DueJobs) due[Signal.DueJobs(signal.jobType)] = clock() + Announcements.REPEAT_NANOS
    }

    /** Removes and returns the signals to deliver again now. */
    fun take(): List<Signal> {
        val now = clock()
        return due.filterValues { it - now <= 0 }.keys.toList().onEach(due::remove)
    }

    private companion object {
        const val NANOS_PER_MILLI = 1_000_000L
    }
}
