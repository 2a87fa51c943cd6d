package io.runledger.exposed.operator

import io.runledger.model.job.JobSelection
import io.runledger.model.ledger.Scope

/** The conditions of a selection that are set and the [scope] in which it selects, for the record of an action. */
internal fun JobSelection.storedForm(scope: Scope): Map<String, Any?> = mapOf(
    "scope" to scope.kind().name.lowercase(),
    "selection" to buildMap<String, Any> {
        if (jobTypes().isNotEmpty()) put("job_types", jobTypes())
        if (statuses().isNotEmpty()) put("statuses", statuses().sorted().map { it.wire() })
        errorCode()?.let { put("error_code", it) }
        errorMessage()?.let { put("error_message", it) }
        olderThan()?.let { put("older_than", it.toString()) }
        queue()?.let { put("queue", it) }
    },
)
