package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The database could not be used. {@link #isTransient()} tells whether a retry may succeed. */
public final class UnavailableException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#UNAVAILABLE}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public UnavailableException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#UNAVAILABLE}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public UnavailableException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.UNAVAILABLE, code, message, internalMessage, cause);
    }
}
