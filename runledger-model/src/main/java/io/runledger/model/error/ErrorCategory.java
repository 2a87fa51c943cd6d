package io.runledger.model.error;

/** What kind of trouble an {@link ErrorCode} stands for; enough to choose an HTTP status or a reaction. */
public enum ErrorCategory {
    /** The request is wrong; the same request will fail again. */
    VALIDATION,
    /** The request collides with what is already stored. */
    CONFLICT,
    /** No such thing, or not in the caller's scope; the two are not told apart. */
    NOT_FOUND,
    /** Somebody else owns the job now, or nobody does any more. */
    LEASE_LOST,
    /** The ledger's schema, its version or its grants do not fit this library. */
    SCHEMA,
    /** The database could not be used; {@link ErrorCode#isTransient()} says whether trying again may help. */
    UNAVAILABLE,
    /** A broken invariant: a defect in the library or a row changed by hand. */
    INTERNAL
}
