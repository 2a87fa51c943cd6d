package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode

/**
 * Error codes for constraints that a service added to the ledger's tables, for example a foreign key from `organization_id` to
 * its organizations. Called for every violated constraint, before the library's own list. Must not throw.
 */
public fun interface ConstraintErrors {
    /** The code to report for a violation of [constraint], or null to use the library's own code. */
    public fun codeOf(constraint: String): ErrorCode?

    public companion object {
        /** Uses the library's own codes for all constraints. */
        @JvmField
        public val NONE: ConstraintErrors = ConstraintErrors { null }
    }
}
