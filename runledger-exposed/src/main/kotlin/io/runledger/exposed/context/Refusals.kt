package io.runledger.exposed.context

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.time.Duration
import java.util.UUID

private const val MAX_LIMIT = 10_000

/** The longest delay that an `integer` of milliseconds can store. */
private val longestDelay = Duration.ofDays(24)

/** The largest effective age. A larger age selects the same rows: none. */
private val largestAge = Duration.ofDays(36_500)

internal fun notFound(id: UUID): RunledgerException = ErrorCode.JOB_NOT_FOUND.exception("There is no job $id in this scope.")

internal fun requireLimit(limit: Int) {
    if (limit !in 1..MAX_LIMIT) {
        throw ErrorCode.INVALID_ARGUMENT.exception("limit is $limit: give 1 to $MAX_LIMIT.")
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
