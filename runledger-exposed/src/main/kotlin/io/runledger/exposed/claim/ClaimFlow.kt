package io.runledger.exposed.claim

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.start.ClaimAnswer
import io.runledger.model.lease.ClaimRequest
import java.sql.Connection
import java.time.Duration
import java.time.temporal.ChronoUnit
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/**
 * Leases due jobs with limits, an order, a share or a named queue, in the transaction of a claim. The function `pick_flow` in the
 * schema chooses the jobs and locks the keys of their limits; the second statement leases them. The locks end with the
 * transaction, so the second statement may rely on the choice of the first.
 */
internal class ClaimFlow(private val context: LedgerContext) {
    /** For each type, the group behind which the next claim begins, so that all shares have their turn. */
    private val places = ConcurrentHashMap<String, UUID>()

    /**
     * Adds up to [most] jobs to [answer]. Returns the time after which another claim may find more; null if only a change in
     * the ledger can help. With [isBeside], due jobs without flow are claimed next: those of higher priority keep their slots.
     */
    fun take(connection: Connection, request: ClaimRequest, most: Int, isBeside: Boolean, answer: ClaimAnswer): Duration? {
        val types = request.jobTypes().filter { type -> request.typeLimits()[type]?.let { it > answer.countOf(type) } ?: true }
        if (types.isEmpty() || most <= 0) return null
        val picked = pick(connection, request, types, most, isBeside, answer)
        types.zip(picked.nextPlaces) { type, place -> places[type] = place }
        if (picked.jobs.isNotEmpty()) lease(connection, request, picked.jobs, answer)
        return when {
            !picked.isContended -> picked.retryIn
            picked.jobs.isEmpty() -> NOTHING_YET
            else -> CONTENDED
        }
    }

    private class Picked(val jobs: List<UUID>, val nextPlaces: List<UUID>, val retryIn: Duration?, val isContended: Boolean)

    private fun pick(
        connection: Connection,
        request: ClaimRequest,
        types: List<String>,
        most: Int,
        isBeside: Boolean,
        answer: ClaimAnswer,
    ): Picked = context.rowsByKeptPlan(
        connection,
        context.statements["claim/pick_flow"],
        {
            texts("job_types", types)
            ints("type_limits", types.map { type -> request.typeLimits()[type]?.minus(answer.countOf(type)) })
            textsOrNull("queues", request.queues()?.toList())
            int("limit", most)
            uuids("starts", types.map { places[it] ?: FIRST_PLACE })
            bool("is_beside", isBeside)
        },
        idleLimit = request.lease(),
    ) {
        Picked(
            (getArray("ids").array as Array<*>).map { it as UUID },
            (getArray("next_starts").array as Array<*>).map { it as UUID },
            longOrNull("retry_us")?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) },
            getBoolean("is_contended"),
        )
    }.single()

    private fun lease(connection: Connection, request: ClaimRequest, jobs: List<UUID>, answer: ClaimAnswer) {
        var columns: ClaimAnswer.Columns? = null
        context.rowsByKeptPlan(
            connection,
            context.statements["claim/claim_flow"],
            {
                uuids("ids", jobs)
                leaseTerms(request)
            },
        ) {
            answer.add(this, columns ?: ClaimAnswer.Columns(this).also { columns = it })
        }
    }

    private companion object {
        val FIRST_PLACE = UUID(0, 0)

        /** Other claims hold keys for the time of a commit. */
        val CONTENDED: Duration = Duration.ofMillis(10)

        /** Many groups were looked at and none may begin: the next claim looks at others, without haste. */
        val NOTHING_YET: Duration = Duration.ofMillis(100)
    }
}
