package io.runledger.coroutines.attempt

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.ObservedJob
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import kotlin.time.ComparableTimeMark

/** One job that this worker holds, from the claim until its settlement is confirmed. */
internal class Attempt(
    val job: ClaimedJob,
    val registration: Handlers.Registration<*>,
    /** Until when the lease is provably held, counted from the time just before the claim or the last renewal was sent. */
    @Volatile var heldUntil: ComparableTimeMark,
    private val ledger: String,
    /** The job was claimed ahead: its attempt counts from the recorded start. */
    val isClaimedAhead: Boolean = false,
) {
    val lease: Lease get() = job.lease()
    val observed: ObservedJob get() = ObservedJob.of(job, ledger)
    val cancellation: AttemptCancellation = AttemptCancellation()

    /** Whether the slot of the attempt is free again, or will be when its stuck handler ends. */
    @Volatile
    var isSlotFreed: Boolean = false

    /** Since when the job waits for a slot; null if it does not. */
    @Volatile
    var heldSince: ComparableTimeMark? = null

    /** When the handler of a job that was claimed ahead began; null before that. */
    @Volatile
    var begunAt: ComparableTimeMark? = null

    @Volatile
    var isStartRecorded: Boolean = false

    /** When the handler's timeout passes; null until the handler starts. */
    @Volatile
    var deadline: ComparableTimeMark? = null

    /** The decoded payload of a step machine, which is its current step; null before that, and for other jobs. */
    @Volatile
    var step: Any? = null

    /** The handler has ended, and the job is being settled. */
    @Volatile
    var isSettling: Boolean = false

    /**
     * The handler writes its success in its own transaction. Until that transaction ends it locks the job's row, so that no other
     * worker can claim the job. Only the ledger knows whether it was committed.
     */
    @Volatile
    var isSettledByHandler: Boolean = false

    /** The times for the meters of the worker; null if it has none. */
    @Volatile
    var measure: AttemptMeasure? = null

    val isHeld: Boolean get() = heldUntil.hasNotPassedNow()
}
