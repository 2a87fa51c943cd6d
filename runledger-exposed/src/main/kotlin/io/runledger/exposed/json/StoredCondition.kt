package io.runledger.exposed.json

import io.runledger.exposed.sql.exception
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import tools.jackson.core.JacksonException

/** The stored form of a condition, which the database evaluates. */
internal fun Condition.storedForm(): Json = plainJson(toMap())

/** Reads a stored condition. Refused if this version does not know it. */
internal fun Json.readCondition(): Condition = try {
    Condition.fromMap(plainMap(this))
} catch (unknown: InvalidRequestException) {
    throw unreadable(unknown)
} catch (unreadable: JacksonException) {
    throw unreadable(unreadable)
}

private fun unreadable(cause: RuntimeException) = ErrorCode.DB_QUERY_FAILED.exception(
    "This version cannot read a stored condition. Upgrade the library, or correct the row.",
    cause.message,
    cause,
)
