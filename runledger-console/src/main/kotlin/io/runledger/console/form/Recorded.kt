package io.runledger.console.form

import io.runledger.console.visit.Visit
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction

/** The latest actions that the ledger has recorded for the user. */
internal object Recorded {
    private const val LATEST = 100
    private const val REASONS = 8

    /**
     * The action with [key], if it is one of the user's latest. Actions on workers and job types belong to no organization, so
     * the scope of the user does not matter here: only the form that made the key knows it.
     */
    fun byKey(visit: Visit, key: String): OperatorAction? = latest(visit, Scope.everything()).firstOrNull { it.key() == key }

    /** The reasons that the user gave lately, so that they need not be typed again. */
    fun reasons(visit: Visit): List<String> = try {
        latest(visit, visit.scope).mapNotNull { it.reason() }.distinct().take(REASONS)
    } catch (_: RunledgerException) {
        // A form without suggestions is better than none.
        emptyList()
    }

    private fun latest(visit: Visit, scope: Scope): List<OperatorAction> =
        visit.ledgers.writes.audit.list(scope, AuditQuery.builder().actor(visit.user.name).limit(LATEST).build()).items()
}
