package io.runledger.model.error;

/** The category of an {@link ErrorCode}, for example to choose an HTTP status. */
public enum ErrorCategory {
    /** The request is not valid; the same request fails again. */
    VALIDATION,
    /** The request conflicts with stored data. */
    CONFLICT,
    /** The object does not exist or is outside the caller's scope. */
    NOT_FOUND,
    /** The caller no longer holds the lease: it expired, or another worker holds it. */
    LEASE_LOST,
    /** The ledger's schema, its version or its privileges do not match this library. */
    SCHEMA,
    /** The database could not be used. {@link ErrorCode#isTransient()} tells whether a retry may succeed. */
    UNAVAILABLE,
    /** A broken invariant: a defect in the library, or a row that was changed manually. */
    INTERNAL
}
