package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** A broken invariant: a defect in the library, or a row that was changed manually. */
public final class InternalException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#INTERNAL}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public InternalException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#INTERNAL}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public InternalException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.INTERNAL, code, message, internalMessage, cause);
    }
}
