package io.runledger.exposed.operator

import io.runledger.model.job.JobSelection

/** The conditions of a selection that are set, for the record of an action. */
internal fun JobSelection.storedForm(): Map<String, Any?> = mapOf(
    "selection" to buildMap<String, Any> {
        if (jobTypes().isNotEmpty()) put("job_types", jobTypes())
        if (statuses().isNotEmpty()) put("statuses", statuses().sorted().map { it.wire() })
        errorCode()?.let { put("error_code", it) }
        errorMessage()?.let { put("error_message", it) }
        olderThan()?.let { put("older_than", it.toString()) }
    },
)
