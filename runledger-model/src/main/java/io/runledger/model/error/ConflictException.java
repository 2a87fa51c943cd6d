package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The request conflicts with stored data. Nothing was changed. */
public sealed class ConflictException extends RunledgerException permits ActionRepeatedException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#CONFLICT}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public ConflictException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#CONFLICT}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public ConflictException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.CONFLICT, code, message, internalMessage, cause);
    }
}
