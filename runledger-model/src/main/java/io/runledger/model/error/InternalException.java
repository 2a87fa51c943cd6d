package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** A broken invariant: a defect in the library or a row changed by hand. */
public final class InternalException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong in a sentence of its own.
     *
     * @param code a code of category {@link ErrorCategory#INTERNAL}
     * @param message what is wrong and what to do next; safe to show
     */
    public InternalException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * Adds what only an operator should see.
     *
     * @param code a code of category {@link ErrorCategory#INTERNAL}
     * @param message what is wrong and what to do next; safe to show
     * @param internalMessage detail for logs, or null
     * @param cause what led to it, or null
     */
    public InternalException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.INTERNAL, code, message, internalMessage, cause);
    }
}
