package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The caller no longer holds the lease of the job. Nothing was changed. */
public final class LeaseLostException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#LEASE_LOST}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public LeaseLostException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#LEASE_LOST}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public LeaseLostException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.LEASE_LOST, code, message, internalMessage, cause);
    }
}
