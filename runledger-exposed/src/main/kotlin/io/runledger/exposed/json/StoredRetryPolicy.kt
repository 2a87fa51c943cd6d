package io.runledger.exposed.json

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import tools.jackson.core.JacksonException

/** The stored form of a policy: readable JSON, the same text for the same policy. */
internal fun RetryPolicy.storedForm(): Json = plainJson(toMap())

/** Reads a policy that an operator may have edited. Refused with `job.invalid_retry_policy` naming the invalid member. */
internal fun Json.readRetryPolicy(): RetryPolicy = RetryPolicy.fromMap(members())

private fun Json.members(): Map<String, Any?> = try {
    plainMap(this)
} catch (unreadable: JacksonException) {
    throw ErrorCode.INVALID_RETRY_POLICY.exception(
        "The stored retry policy is not a JSON object, or is too large or too deep. Store the JSON form of a RetryPolicy.",
        unreadable.message,
        unreadable,
    )
}
