package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The object does not exist or is outside the caller's scope. The exception does not distinguish the two cases. */
public final class NotFoundException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#NOT_FOUND}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public NotFoundException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#NOT_FOUND}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public NotFoundException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.NOT_FOUND, code, message, internalMessage, cause);
    }
}
