package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The request is not valid. Nothing was changed, and the same request fails again. */
public sealed class InvalidRequestException extends RunledgerException permits InvalidWorkflowException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#VALIDATION}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public InvalidRequestException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#VALIDATION}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public InvalidRequestException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.VALIDATION, code, message, internalMessage, cause);
    }
}
