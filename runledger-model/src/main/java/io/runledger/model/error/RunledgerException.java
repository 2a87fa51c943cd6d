package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/**
 * The base class of all exceptions that Runledger reports. Branch on {@link #code()} or on the subclass, never on the
 * message.
 *
 * <p>{@link #getMessage()} is safe to show to a client: it describes the problem and the next step, and contains no
 * SQL, payload or key. Details for operators are in {@link #internalMessage()} and in the cause.
 */
public abstract sealed class RunledgerException extends RuntimeException
        permits ConflictException,
                InternalException,
                InvalidRequestException,
                LeaseLostException,
                NotFoundException,
                SchemaException,
                UnavailableException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    private final @Nullable String internalMessage;

    RunledgerException(
            ErrorCategory expected,
            ErrorCode code,
            String message,
            @Nullable String internalMessage,
            @Nullable Throwable cause) {
        super(message + " [" + code.wire() + "]", cause);
        if (code.category() != expected) {
            throw new IllegalArgumentException(
                    code + " has category " + code.category() + ": it cannot be thrown as " + expected);
        }
        this.code = code;
        this.internalMessage = internalMessage;
    }

    public final ErrorCode code() {
        return code;
    }

    public final ErrorCategory category() {
        return code.category();
    }

    /** Whether the same call may succeed later without any correction. */
    public final boolean isTransient() {
        return code.isTransient();
    }

    /**
     * Details for logs: messages of the database, names and keys. Never part of {@link #getMessage()}.
     *
     * @return null if there are no further details
     */
    public final @Nullable String internalMessage() {
        return internalMessage;
    }
}
