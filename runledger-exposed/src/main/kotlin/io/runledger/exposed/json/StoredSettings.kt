package io.runledger.exposed.json

import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.sparse
import io.runledger.model.job.JobSettings
import io.runledger.model.json.Json
import java.time.Duration

/** The settings of a request, a step or a type as columns and snapshots hold them. A value that is not set is null. */
internal class StoredSettings(settings: JobSettings) {
    val priority: Int? = settings.priority()
    val maxAttempts: Int? = settings.maxAttempts()
    val timeoutSeconds: Int? = settings.timeout()?.toSeconds()?.let(Math::toIntExact)
    val retryPolicy: Json? = settings.retryPolicy()?.storedForm()
    val flow: Json? = settings.flow().storedForm()

    /**
     * The members of a snapshot, without braces. A newer member is left out if it is not set, so that a snapshot written before
     * the member existed stays equal.
     */
    fun members(): String = buildString {
        append("\"priority\":").append(priority)
        append(",\"max_attempts\":").append(maxAttempts)
        append(",\"timeout_seconds\":").append(timeoutSeconds)
        retryPolicy?.let { append(",\"retry_policy\":").append(it.text()) }
        flow?.let { append(",\"flow\":").append(it.text()) }
    }

    companion object {
        val NONE = StoredSettings(JobSettings.NONE)

        /** Reads the members of a snapshot that [StoredSettings.members] wrote. */
        fun read(members: Map<String, Any?>) = JobSettings(
            members["priority"] as Int?,
            members["max_attempts"] as Int?,
            (members["timeout_seconds"] as Int?)?.let { Duration.ofSeconds(it.toLong()) },
            members["retry_policy"]?.let { plainJson(it).readRetryPolicy() },
            readJobFlow(members["flow"] as Map<*, *>?),
        )
    }
}

internal fun JobSettings.storedForm() = StoredSettings(this)

/** Sets the parameters of a statement that writes the settings of one job or step. */
internal fun Binder.settings(row: StoredSettings) {
    defaults(row)
    json("flow", row.flow)
}

/** Sets the parameters of a statement that writes the defaults of one type. */
internal fun Binder.defaults(row: StoredSettings) {
    int("priority", row.priority)
    int("max_attempts", row.maxAttempts)
    int("timeout_seconds", row.timeoutSeconds)
    json("retry_policy", row.retryPolicy)
}

/** Sets the arrays of an `unnest` that writes the settings of many jobs or steps. */
internal fun Binder.settings(rows: List<StoredSettings>) {
    defaults(rows)
    jsons("flows", rows.sparse { it.flow })
}

/** Sets the arrays of an `unnest` that writes the defaults of many types. */
internal fun Binder.defaults(rows: List<StoredSettings>) {
    ints("priorities", rows.sparse { it.priority })
    ints("max_attempts", rows.sparse { it.maxAttempts })
    ints("timeout_seconds", rows.sparse { it.timeoutSeconds })
    jsons("retry_policies", rows.sparse { it.retryPolicy })
}
