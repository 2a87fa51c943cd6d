package io.runledger.exposed.json

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.policy.RetryPolicy
import tools.jackson.core.JacksonException

/** A policy as the ledger keeps it: readable JSON, the same text for the same policy. */
internal fun RetryPolicy.storedForm(): Json = plainJson(toMap())

/** A policy an operator may have edited; refused with `job.invalid_retry_policy` naming the member that is wrong. */
internal fun Json.readRetryPolicy(): RetryPolicy = RetryPolicy.fromMap(members())

private fun Json.members(): Map<String, Any?> = try {
    plainMap(this)
} catch (unreadable: JacksonException) {
    throw ErrorCode.INVALID_RETRY_POLICY.exception(
        "The stored retry policy is no JSON object, or one beyond all measure: store what a RetryPolicy writes.",
        unreadable.message,
        unreadable,
    )
}
