package io.runledger.exposed.json

import io.runledger.exposed.sql.exception
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import tools.jackson.core.JacksonException

/** A condition as the row keeps it and the database judges it. */
internal fun Condition.storedForm(): Json = plainJson(toMap())

/** A condition that was stored; refused when somebody stored what this version does not know. */
internal fun Json.readCondition(): Condition = try {
    Condition.fromMap(plainMap(this))
} catch (unknown: InvalidRequestException) {
    throw unreadable(unknown)
} catch (unreadable: JacksonException) {
    throw unreadable(unreadable)
}

private fun unreadable(cause: RuntimeException) = ErrorCode.DB_QUERY_FAILED.exception(
    "A stored condition cannot be read by this version: upgrade the library, or mend the row.",
    cause.message,
    cause,
)
