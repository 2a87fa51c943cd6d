package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The request is wrong and nothing was changed; the same request will fail again. */
public sealed class InvalidRequestException extends RunledgerException permits InvalidWorkflowException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong in a sentence of its own.
     *
     * @param code a code of category {@link ErrorCategory#VALIDATION}
     * @param message what is wrong and what to do next; safe to show
     */
    public InvalidRequestException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * Adds what only an operator should see.
     *
     * @param code a code of category {@link ErrorCategory#VALIDATION}
     * @param message what is wrong and what to do next; safe to show
     * @param internalMessage detail for logs, or null
     * @param cause what led to it, or null
     */
    public InvalidRequestException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.VALIDATION, code, message, internalMessage, cause);
    }
}
