package io.runledger.exposed

import io.runledger.exposed.hook.DeliverLetters
import io.runledger.model.state.DeadLetterDelivery
import java.time.Duration

/**
 * Dead letters on their way to those who want to be told, each at least once. A worker does all of this for the hooks it is
 * given; call it yourself where there is no worker.
 *
 * A letter waits from the transaction in which its job gave up, whoever ended it, until it was [delivered] to every hook that
 * was registered for its type at that time. Types that nobody hooks cost nothing. A requeue does not recall a letter; a job
 * that retention forgets takes its letters along.
 */
public class DeadLetterHooks internal constructor(context: LedgerContext) {
    private val letters = DeliverLetters(context)

    /**
     * Has letters of [jobTypes] kept for [hook] from now on; earlier ones are not. Adds to what the hook is registered for,
     * and may be repeated any number of times. Repeat it now and then: nothing more is kept for a hook that has not registered
     * for 30 days.
     */
    public fun register(hook: String, jobTypes: Collection<String>) {
        letters.register(hook, jobTypes)
    }

    /**
     * Hands out up to [limit] letters of [jobTypes] that wait for [hook]. For the length of [lease] nobody else gets them;
     * after that they wait again, unless they were [delivered]. Competing callers never wait for each other.
     */
    public fun take(hook: String, jobTypes: Collection<String>, limit: Int, lease: Duration): List<DeadLetterDelivery> =
        letters.take(hook, jobTypes, limit, lease)

    /**
     * The hook has them: they wait no more. What waits no more already is left alone. Waits for no other session: answers with
     * those that another one holds at this moment, about which to say it again.
     */
    public fun delivered(deliveries: Collection<DeadLetterDelivery>): List<DeadLetterDelivery> = letters.delivered(deliveries)

    /**
     * The hook could not be reached: each waits for its delay and is then handed out again. One that was taken anew stays, and so
     * does one that another session holds at this moment: it is handed out again when its lease is over.
     */
    public fun postpone(delays: Map<DeadLetterDelivery, Duration>) {
        letters.postpone(delays)
    }

    /** Ends what [register] began, and answers how many letters the hook will not be handed any more. */
    public fun forget(hook: String): Int = letters.forget(hook)
}
