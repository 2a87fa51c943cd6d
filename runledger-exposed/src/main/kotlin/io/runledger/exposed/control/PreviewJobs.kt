package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.read.Filter
import io.runledger.exposed.read.jobSummary
import io.runledger.exposed.read.narrowed
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.inScope
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.job.SelectionPreview
import io.runledger.model.ledger.Scope
import java.sql.Connection

/**
 * Counts the jobs that an operation would change. The statements and conditions are those of [SelectJobs]. A count passes at most
 * [mostCandidates] jobs of each status, so the cost does not depend on the size of the ledger.
 */
internal class PreviewJobs(
    private val context: LedgerContext,
    private val mostJobs: Int = MOST_JOBS,
    private val mostCandidates: Int = MOST_CANDIDATES,
) {
    private val selections = SelectJobs(context)

    fun preview(scope: Scope, selection: JobSelection, statuses: Set<JobStatus>): SelectionPreview {
        requireChangeable(statuses)
        val wanted = WantedJobs(scope, selection, statusesOf(selection, statuses))
        return context.transactions.snapshot { connection ->
            val count = Count()
            wanted.statuses.sorted().forEach { if (count.jobs <= mostJobs) count(connection, wanted, it, count) }
            SelectionPreview(minOf(count.jobs, mostJobs).toLong(), count.isCut || count.jobs > mostJobs, count.sample)
        }
    }

    private fun count(connection: Connection, wanted: WantedJobs, status: JobStatus, count: Count) {
        val order = SelectionOrder.of(wanted.scope, wanted.selection, status)
        val filters = selections.filters(order, wanted, status)
        val types = selections.typesOf(order, wanted)
        val found = connection.rows(
            context.statements["control/preview"]
                .replace("{selection}", candidates(order, wanted, types, status))
                .inScope(wanted.scope)
                .narrowed(filters),
            {
                order.start(this, Position(status), selections.ageOf(wanted))
                if (types.isNotEmpty()) texts("job_types", types)
                scope(wanted.scope)
                filters.forEach { it.bind(this) }
                int("limit", mostCandidates)
                // One more than is counted shows whether there are more.
                int("most", mostJobs + 1 - count.jobs)
                int("sample", SAMPLE - count.sample.size)
            },
        ) { Triple(getInt("jobs"), getBoolean("is_cut"), if (getString("job_type") == null) null else jobSummary()) }
        count.jobs += found.first().first
        count.isCut = count.isCut || found.first().second
        count.sample += found.mapNotNull { it.third }
    }

    /** The statement of [order] with only those conditions that its index decides, so that its limit bounds the rows it reads. */
    private fun candidates(order: SelectionOrder, wanted: WantedJobs, types: List<String>, status: JobStatus): String {
        val isOrganization = wanted.scope.kind() == Scope.Kind.ORGANIZATION
        val index = when {
            order != SelectionOrder.ID || isOrganization -> null
            wanted.selection.errorCode() != null -> Filter("q.last_error_code = :error_code")
            else -> Filter(selections.queueCondition(status))
        }
        return context.statements.scoped(order.statement, if (isOrganization) wanted.scope else Scope.everything())
            .replace("{types}", selections.typesIn(types))
            .narrowed(listOfNotNull(index))
    }

    private fun requireChangeable(statuses: Set<JobStatus>) {
        if (statuses.isEmpty() || !changeable.containsAll(statuses)) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "The statuses of a preview are ${statuses.ifEmpty { "missing" }}: name those that the operation changes, " +
                    "out of ${changeable.joinToString()}.",
            )
        }
    }

    private class Count {
        var jobs = 0
        var isCut = false
        val sample = mutableListOf<JobSummary>()
    }

    private companion object {
        val changeable = setOf(JobStatus.PENDING, JobStatus.LEASED, JobStatus.DEAD_LETTERED)
        const val MOST_JOBS = 10_000
        const val MOST_CANDIDATES = 50_000
        const val SAMPLE = 10
    }
}
