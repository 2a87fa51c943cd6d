package io.runledger.exposed.intake

import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobStatus
import io.runledger.model.key.Debounce
import io.runledger.model.key.Replacement
import io.runledger.model.key.Uniqueness
import io.runledger.model.ledger.Disposition
import java.util.UUID

/** The enqueues of one call with the same key, in the order of the call. No other session has the key meanwhile. */
internal class KeyedJobs(val key: JobKey, private val jobs: List<NewJob>) {
    private val proposed = jobs.first()
    private var holder: Holder? = null
    private val inserts = LinkedHashMap<UUID, NewJob>()
    private val changes = LinkedHashMap<UUID, JobChange>()
    private val places = ArrayList<Pair<NewJob, EnqueuedJob>>()

    /** The job to which the row of the key refers since the key was taken. */
    private var stored: UUID = proposed.id

    /** The job that the row refers to if the key is new. */
    val proposedId: UUID get() = proposed.id

    /** The window that the row has if the key is new. */
    val proposedWindow: Long? get() = proposed.windowMicros

    /** The jobs to insert. */
    val inserted: Collection<NewJob> get() = inserts.values

    /** The changes of jobs that exist. */
    val changed: Map<UUID, JobChange> get() = changes

    /** The answers. A job that is still to be inserted is among [inserted]. */
    val answers: List<Pair<NewJob, EnqueuedJob>> get() = places

    /** What the row of the key must refer to, if that has changed. */
    val moved: MovedKey? get() = holder?.takeIf { it.id != stored }?.let { MovedKey(stored, it.id, it.windowMicros) }

    /** The key is in use by [job]. */
    fun heldBy(job: Holder) {
        holder = job
        stored = job.id
    }

    /** Decides what becomes of each enqueue. */
    fun decide() = jobs.forEach { job ->
        val found = holder
        places += job to when {
            found == null -> insert(job)
            else -> against(found, job)
        }
    }

    private fun against(found: Holder, job: NewJob): EnqueuedJob = when (val rule = checkNotNull(job.request.keyRule())) {
        is Uniqueness -> if (found.standsInTheWayOf(rule)) found.answer(Disposition.EXISTING) else insert(job)
        is Debounce -> if (found.isUnclaimed) replace(found, JobChange.of(job, rule)) else insert(job)
        is Replacement -> if (found.status == JobStatus.PENDING) replace(found, JobChange.of(job, rule)) else insert(job)
    }

    private fun insert(job: NewJob): EnqueuedJob {
        inserts[job.id] = job
        // A window that is open stays open.
        val isWindowOpen = job.windowMicros != null || holder?.isWindowOpen == true
        holder = Holder(job.id, JobStatus.PENDING, 1, 0, isWindowOpen, job.windowMicros)
        return job.inserted()
    }

    private fun replace(found: Holder, change: JobChange): EnqueuedJob {
        val new = inserts[found.id]
        if (new == null) changes.merge(found.id, change, JobChange::and) else inserts[found.id] = new.with(change)
        return found.answer(Disposition.REPLACED)
    }

    private fun Holder.standsInTheWayOf(rule: Uniqueness): Boolean {
        val byState = when (rule.span()) {
            Uniqueness.Span.PENDING -> status == JobStatus.PENDING
            Uniqueness.Span.UNFINISHED -> status == JobStatus.PENDING || status == JobStatus.LEASED
            Uniqueness.Span.NONE -> false
        }
        return byState || (rule.window() != null && isWindowOpen)
    }
}

/** The job to which a key refers. */
internal class Holder(
    val id: UUID,
    val status: JobStatus,
    private val runNumber: Int,
    private val attempt: Int,
    val isWindowOpen: Boolean,
    /** The window that its enqueue opens; null for a job that existed before the call. */
    val windowMicros: Long?,
) {
    val isUnclaimed: Boolean get() = status == JobStatus.PENDING && runNumber == 1 && attempt == 0

    fun answer(disposition: Disposition) = EnqueuedJob(id, disposition, status, runNumber)
}

/** A key whose row referred to the job [from] and is to refer to the new job [to]. */
internal class MovedKey(val from: UUID, val to: UUID, val windowMicros: Long?)

private val NewJob.windowMicros: Long? get() = (request.keyRule() as? Uniqueness)?.window()?.toMicros()
