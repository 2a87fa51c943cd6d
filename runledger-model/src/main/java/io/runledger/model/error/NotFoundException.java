package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** No such thing, or it lies outside the caller's scope; the two are not told apart. */
public final class NotFoundException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong in a sentence of its own.
     *
     * @param code a code of category {@link ErrorCategory#NOT_FOUND}
     * @param message what is wrong and what to do next; safe to show
     */
    public NotFoundException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * Adds what only an operator should see.
     *
     * @param code a code of category {@link ErrorCategory#NOT_FOUND}
     * @param message what is wrong and what to do next; safe to show
     * @param internalMessage detail for logs, or null
     * @param cause what led to it, or null
     */
    public NotFoundException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.NOT_FOUND, code, message, internalMessage, cause);
    }
}
