package io.runledger.exposed.control

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.time.Duration
import java.util.UUID

private const val MAX_LIMIT = 10_000

/** The longest delay an `integer` of milliseconds can note. */
private val longestDelay = Duration.ofDays(24)

/** The largest age that matters; what is larger selects the same rows: none. */
private val largestAge = Duration.ofDays(36_500)

internal fun notFound(id: UUID): RunledgerException = ErrorCode.JOB_NOT_FOUND.exception("There is no job $id in this scope.")

internal fun requireLimit(limit: Int) {
    if (limit !in 1..MAX_LIMIT) {
        throw ErrorCode.INVALID_ARGUMENT.exception("limit is $limit: a call takes 1 to $MAX_LIMIT jobs.")
    }
}

internal fun requireDelay(delay: Duration, least: Duration, code: ErrorCode): Duration {
    if (delay !in least..longestDelay) {
        throw code.exception("The delay is $delay: give $least to ${longestDelay.toDays()} days.")
    }
    return delay
}

internal fun requireDistinct(ids: List<UUID>, noun: String) {
    if (ids.toSet().size != ids.size) throw ErrorCode.INVALID_ARGUMENT.exception("The same $noun is given twice: give each once.")
}

internal fun Duration.asAge(): Duration = coerceAtMost(largestAge)
