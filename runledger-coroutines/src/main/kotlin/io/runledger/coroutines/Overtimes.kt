package io.runledger.coroutines

import java.time.Duration

/** How long a handler that ignores its timeout keeps its job: the value of its type, or else the general value. */
internal class Overtimes(private val general: Duration = STANDARD, private val byType: Map<String, Duration> = emptyMap()) {
    fun of(jobType: String): Duration = byType[jobType] ?: general

    fun withGeneral(overtime: Duration) = Overtimes(checked(overtime), byType)

    fun with(jobType: String, overtime: Duration) = Overtimes(general, byType + (jobType to checked(overtime)))

    private fun checked(overtime: Duration): Duration {
        require(!overtime.isNegative && overtime <= LONGEST) {
            "The overtime is $overtime: give zero to ${LONGEST.toDays()} days."
        }
        return overtime
    }

    private companion object {
        val STANDARD: Duration = Duration.ofMinutes(10)
        val LONGEST: Duration = Duration.ofDays(365)
    }
}
