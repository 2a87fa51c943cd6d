package io.runledger.model.error;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything Runledger throws on purpose. Branch on {@link #code()} or on the subclass, never on the message.
 *
 * <p>{@link #getMessage()} is safe to show to a client: it says what is wrong and what to do next, and holds no SQL, no payload
 * and no key. What only an operator should see is in {@link #internalMessage()} and in the cause.
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

    /** The stable code. */
    private final ErrorCode code;

    /** What only an operator should see. */
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
                    code + " is of category " + code.category() + " and cannot be thrown as " + expected);
        }
        this.code = code;
        this.internalMessage = internalMessage;
    }

    /**
     * What went wrong, as a stable code.
     *
     * @return the code
     */
    public final ErrorCode code() {
        return code;
    }

    /**
     * What kind of trouble this is.
     *
     * @return the code's category
     */
    public final ErrorCategory category() {
        return code.category();
    }

    /**
     * Whether the same call may succeed a little later without anybody mending anything.
     *
     * @return true for trouble that passes by itself
     */
    public final boolean isTransient() {
        return code.isTransient();
    }

    /**
     * Detail for logs: the database's own words, names and keys. Never part of {@link #getMessage()}.
     *
     * @return the detail, or null when the message already says everything
     */
    public final @Nullable String internalMessage() {
        return internalMessage;
    }
}
