package io.runledger.console.action

import io.runledger.console.content.grouped
import io.runledger.console.content.of
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.job.SelectionPreview
import io.runledger.model.ledger.Scope

/** Jobs that an action on many jobs would change, as the ledger counts them now. */
internal class Selected(
    val jobs: JobSelection,
    /** The rows among which the jobs are selected. */
    val scope: Scope,
    /** The conditions as parameters of an address. */
    val query: SelectionQuery,
    /** The jobs by status, without those that the action cannot change. */
    private val previews: Map<JobStatus, SelectionPreview>,
) {
    val count: Long get() = previews.values.sumOf { it.count() }

    val isAtLeast: Boolean get() = previews.values.any { it.isAtLeast }

    val sample: List<JobSummary> get() = previews.values.flatMap { it.sample() }.take(SAMPLE)

    /** `3 jobs`, `at least 10,000 jobs`. */
    val inWords: String get() = (if (isAtLeast) "at least " else "") + count.of("job")

    fun inWords(status: JobStatus): String? = previews[status]?.takeIf { it.count() > 0 }?.let { preview ->
        val number = (if (preview.isAtLeast) "at least " else "") + preview.count().grouped()
        "$number of them ${if (preview.count() == 1L) "is" else "are"} ${WORDS.getValue(status)}"
    }

    companion object {
        private const val SAMPLE = 10
        private val WORDS = mapOf(
            JobStatus.PENDING to "waiting",
            JobStatus.LEASED to "running",
            JobStatus.DEAD_LETTERED to "in the dead letters",
        )

        /** Counts what [query] selects among the jobs with [statuses], as the operation on them would find it. */
        fun of(visit: Visit, query: SelectionQuery, statuses: Set<JobStatus>): Selected {
            val selection = query.selection()
            val scope = query.within(visit.scope)
            val wanted = selection.statuses().ifEmpty { statuses }.filter { it in statuses }.sorted()
            return Selected(
                selection,
                scope,
                query,
                wanted.associateWith { visit.ledgers.writes.jobs.preview(scope, selection.inStatus(it), setOf(it)) },
            )
        }
    }
}
