package io.runledger.exposed.json

import io.runledger.model.json.Json
import io.runledger.model.policy.RetryPolicy

/** A policy as the ledger keeps it: readable JSON, the same text for the same policy. */
internal fun RetryPolicy.storedForm(): Json = plainJson(toMap())

/** A policy an operator may have edited; refused with `job.invalid_retry_policy` naming the member that is wrong. */
internal fun Json.readRetryPolicy(): RetryPolicy = RetryPolicy.fromMap(plainMap(this))
