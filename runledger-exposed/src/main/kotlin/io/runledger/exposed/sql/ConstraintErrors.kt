package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode

/**
 * A service's own word on constraints it added to the ledger's tables, for example a foreign key from `organization_id` to its
 * organizations. Asked before the library's own list, for every violated constraint; must not throw.
 */
public fun interface ConstraintErrors {
    /** The code a violation of [constraint] is reported with, or null to leave it to the library. */
    public fun codeOf(constraint: String): ErrorCode?

    public companion object {
        /** Leaves everything to the library. */
        @JvmField
        public val NONE: ConstraintErrors = ConstraintErrors { null }
    }
}
