package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/** The ledger's schema, its version or its privileges do not match this library. */
public final class SchemaException extends RunledgerException {
    private static final long serialVersionUID = 1L;

    /**
     * @param code code of category {@link ErrorCategory#SCHEMA}
     * @param message says what is wrong and what to do next; safe to show to a client
     */
    public SchemaException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param code code of category {@link ErrorCategory#SCHEMA}
     * @param message says what is wrong and what to do next; safe to show to a client
     * @param internalMessage detail for logs, or null
     */
    public SchemaException(
            ErrorCode code, String message, @Nullable String internalMessage, @Nullable Throwable cause) {
        super(ErrorCategory.SCHEMA, code, message, internalMessage, cause);
    }
}
