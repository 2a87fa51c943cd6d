package io.runledger.exposed.intake

import io.runledger.exposed.json.digest
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.sparse
import java.util.UUID

/** A key as it is stored. Its order is that in which all callers take keys. */
internal data class JobKey(val text: String, val isPayload: Boolean, val jobType: String, val organizationId: UUID?) :
    Comparable<JobKey> {
    override fun compareTo(other: JobKey): Int = order.compare(this, other)

    companion object {
        private val order =
            compareBy<JobKey>({ it.text }, { it.isPayload }, { it.jobType }, { it.organizationId })

        /** Null if [job] has no rule. */
        fun of(job: NewJob): JobKey? {
            val rule = job.request.keyRule() ?: return null
            val key = rule.key()
            return JobKey(key ?: job.payload.digest(), key == null, job.request.jobType(), job.request.organizationId())
        }
    }
}

internal fun Binder.keys(keys: List<JobKey>) {
    uuids("organization_ids", keys.sparse { it.organizationId })
    bools("payload_flags", keys.map { it.isPayload })
    texts("job_types", keys.map { it.jobType })
    texts("keys", keys.map { it.text })
}
