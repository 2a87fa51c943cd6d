package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.ObservedJob
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import kotlin.time.ComparableTimeMark

/** One job this worker holds, from the claim until its ending is confirmed. */
internal class Attempt(
    val job: ClaimedJob,
    val registration: Handlers.Registration<*>,
    /** Until when the lease is provably held: counted from before the claim, or the last renewal, was sent. */
    @Volatile var heldUntil: ComparableTimeMark,
    ledger: String,
) {
    val lease: Lease get() = job.lease()
    val observed: ObservedJob = ObservedJob.of(job, ledger)
    val cancellation: AttemptCancellation = AttemptCancellation()

    /** When the handler's time is up; null until it begins. */
    @Volatile
    var deadline: ComparableTimeMark? = null

    /** The step of a machine that the payload is, as soon as it is decoded; null for a job that is none. */
    @Volatile
    var step: Any? = null

    /** The handler is done; what remains is to write its ending. */
    @Volatile
    var isEnding: Boolean = false

    /**
     * The handler writes its success into a transaction of its own. Until that ends it holds the job's row, so that nobody can
     * take the job over, and whether it was committed only the ledger knows.
     */
    @Volatile
    var isSettledByHandler: Boolean = false

    val isHeld: Boolean get() = heldUntil.hasNotPassedNow()
}
