package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The database could not be used; {@link #isTransient()} says whether trying again may help. */
public final class UnavailableException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong in a sentence of its own.
     *
     * @param code a code of category {@link ErrorCategory#UNAVAILABLE}
     * @param message what is wrong and what to do next; safe to show
     */
    public UnavailableException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * Adds what only an operator should see.
     *
     * @param code a code of category {@link ErrorCategory#UNAVAILABLE}
     * @param message what is wrong and what to do next; safe to show
     * @param internalMessage detail for logs, or null
     * @param cause what led to it, or null
     */
    public UnavailableException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.UNAVAILABLE, code, message, internalMessage, cause);
    }
}
