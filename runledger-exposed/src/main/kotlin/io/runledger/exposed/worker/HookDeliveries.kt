package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.hook.DeliverDeadLetters
import io.runledger.model.lease.DeadLetterDelivery
import java.time.Duration

/**
 * Delivers dead letters to hooks, each at least once.
 *
 * A letter waits from the transaction in which its job gave up until it was [delivered] to every hook that was registered
 * for its type at that time. Types without a hook cost nothing. A requeue does not recall a letter. If retention deletes a
 * job, it deletes its letters.
 */
@WorkerApi
public class HookDeliveries internal constructor(context: LedgerContext) {
    private val letters = DeliverDeadLetters(context)

    /**
     * Keeps letters of [jobTypes] for [hook] from now on, but no earlier ones. Adds to the types that the hook is registered for.
     * Repeat the call now and then: for a hook that has not registered for 30 days no more letters are kept.
     */
    public fun register(hook: String, jobTypes: Collection<String>) {
        letters.register(hook, jobTypes)
    }

    /**
     * Takes up to [limit] letters of [jobTypes] that wait for [hook]. No other caller gets them for the length of [lease]; after
     * that they wait again, unless they were [delivered]. Competing callers do not wait for each other.
     */
    public fun take(hook: String, jobTypes: Collection<String>, limit: Int, lease: Duration): List<DeadLetterDelivery> =
        letters.take(hook, jobTypes, limit, lease)

    /**
     * Records that the hook has the letters. A letter that no longer waits is left alone. The call does not wait for other
     * sessions: it returns the deliveries that another session holds at this moment, for which the caller repeats it.
     */
    public fun delivered(deliveries: Collection<DeadLetterDelivery>): List<DeadLetterDelivery> = letters.delivered(deliveries)

    /**
     * Lets each letter wait for its delay and be taken again, because the hook failed. A letter that was taken again stays as it
     * is, and so does one that another session holds at this moment: it can be taken again when its lease has expired.
     */
    public fun postpone(delays: Map<DeadLetterDelivery, Duration>) {
        letters.postpone(delays)
    }
}
