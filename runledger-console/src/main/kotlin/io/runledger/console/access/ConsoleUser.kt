package io.runledger.console.access

import io.runledger.model.ledger.Scope

/**
 * The person in front of the browser, as the host of the console knows them.
 *
 * @property name recorded in the ledger as the actor of each action
 * @property role what the person may do
 * @property scope the rows that the person sees and changes: of one organization, the global ones, or everything
 */
public data class ConsoleUser(
    @get:JvmName("name") val name: String,
    @get:JvmName("role") val role: ConsoleRole,
    @get:JvmName("scope") val scope: Scope,
) {
    init {
        require(name.isNotBlank()) { "The name of a console user is blank: it is recorded as the actor of each action." }
    }

    /** Whether the user may do what needs [required]. */
    public fun may(required: ConsoleRole): Boolean = role >= required
}
