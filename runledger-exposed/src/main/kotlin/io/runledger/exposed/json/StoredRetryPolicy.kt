package io.runledger.exposed.json

import io.runledger.model.json.Json
import io.runledger.model.policy.RetryPolicy
import tools.jackson.databind.json.JsonMapper

private val plain: JsonMapper = JsonMapper.builder().build()

/** A policy as the ledger keeps it: readable JSON, the same text for the same policy. */
internal fun RetryPolicy.storedForm(): Json = Json(plain.writeValueAsString(toMap()))

/** A policy an operator may have edited; refused with `job.invalid_retry_policy` naming the member that is wrong. */
internal fun Json.readRetryPolicy(): RetryPolicy =
    @Suppress("UNCHECKED_CAST")
    RetryPolicy.fromMap(plain.readValue(text(), Map::class.java) as Map<String, Any?>)
