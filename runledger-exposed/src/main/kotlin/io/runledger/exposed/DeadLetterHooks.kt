package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.hook.DeliverDeadLetters

/** The registered dead-letter hooks. Workers register hooks and deliver dead letters to them. */
public class DeadLetterHooks internal constructor(context: LedgerContext) {
    private val letters = DeliverDeadLetters(context)

    /** Removes the registration of [hook] and drops the letters that wait for it. Returns the number of dropped letters. */
    public fun remove(hook: String): Int = letters.remove(hook)
}
