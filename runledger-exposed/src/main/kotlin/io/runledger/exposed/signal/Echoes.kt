package io.runledger.exposed.signal

/** What is to be heard once more, and when: jobs that became due shortly after others of their type are not told of. */
internal class Echoes(private val clock: () -> Long = System::nanoTime) {
    private val due = HashMap<Signal, Long>()

    /** How long to wait for the next echo, at most [longest]. */
    fun millisUntilNext(longest: Int): Int {
        val next = due.values.minOfOrNull { it - clock() } ?: return longest
        return (next / NANOS_PER_MILLI + 1).coerceIn(1L, longest.toLong()).toInt()
    }

    fun heard(signal: Signal) {
        if (signal is Signal.DueJobs) due[signal] = clock() + Announcements.ECHO_NANOS
    }

    /** What is to be heard again now. */
    fun take(): List<Signal> {
        val now = clock()
        return due.filterValues { it - now <= 0 }.keys.toList().onEach(due::remove)
    }

    private companion object {
        const val NANOS_PER_MILLI = 1_000_000L
    }
}
