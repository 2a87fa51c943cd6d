package io.runledger.model.failure;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.text.Text;
import io.runledger.model.value.StorableValues;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The failure of an attempt. Characters that PostgreSQL cannot store are replaced in the message, and a message above 8
 * KiB is truncated. The failure is stored and shown to operators, so it should contain no secrets.
 *
 * @param code stable code of the handler or of the library, for example {@code mail.address_unknown}
 * @param message description for operators
 * @param details machine-readable details, or null
 * @param exceptionTypes names of the exception class and its superclasses, most specific first; empty without an
 *     exception
 */
public record JobFailure(
        FailureKind kind,
        String code,
        String message,
        @Nullable Json details,
        List<String> exceptionTypes) {
    private static final int CODE_BYTES = 255;

    /**
     * @throws InvalidRequestException with {@code request.invalid} if the code is blank, longer than 255 bytes or
     *     contains control characters, and with {@code json.invalid} if the details are nested deeper than {@link
     *     Json#MAX_DEPTH} levels
     */
    public JobFailure {
        Objects.requireNonNull(kind, "kind");
        if (Text.isBlank(code) || Text.utf8Length(code) > CODE_BYTES || !isPlain(code)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The failure code " + Text.quoted(code) + " cannot be stored: use visible text of 1 to "
                            + CODE_BYTES + " bytes.");
        }
        message = StorableValues.message(message);
        if (details != null) {
            details.requireStorable();
        }
        exceptionTypes = List.copyOf(exceptionTypes);
    }

    /**
     * A failure that may be retried.
     *
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    public static JobFailure retryable(String code, @Nullable String message) {
        return of(FailureKind.RETRYABLE, code, message);
    }

    /**
     * A failure that is never retried.
     *
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    public static JobFailure terminal(String code, @Nullable String message) {
        return of(FailureKind.TERMINAL, code, message);
    }

    /**
     * A failure with an {@link Error}, with code {@code job.handler_panic}.
     *
     * @param message description for operators; null means none
     */
    public static JobFailure panicked(@Nullable String message) {
        return of(FailureKind.PANICKED, ErrorCode.HANDLER_PANIC.wire(), message);
    }

    /** A timeout, with code {@code job.timeout_exceeded}. */
    public static JobFailure timeout(Duration limit) {
        return of(
                FailureKind.TIMEOUT,
                ErrorCode.TIMEOUT_EXCEEDED.wire(),
                "The handler ran longer than its timeout of " + limit + ".");
    }

    /** An expired lease, with code {@code job.lease_expired}. */
    public static JobFailure leaseExpired() {
        return of(FailureKind.LEASE_EXPIRED, ErrorCode.LEASE_EXPIRED.wire(), ErrorCode.LEASE_EXPIRED.message());
    }

    /**
     * Converts an exception of a handler to a failure. An exception is retryable ({@code job.handler_failed}), an
     * {@link Error} is a panic ({@code job.handler_panic}). An {@link InvalidRequestException} about the outcome,
     * progress or checkpoint of the handler is terminal and keeps its code, because the next attempt would fail in the
     * same way. {@code CompletionException} and {@code ExecutionException} are unwrapped. The message contains the
     * class, the message and the causes.
     */
    public static JobFailure of(Throwable thrown) {
        return Thrown.failure(thrown);
    }

    /** Like {@link #of(Throwable)}, with a classifier. If the classifier throws or returns null, it is ignored. */
    public static JobFailure of(Throwable thrown, FailureClassifier classifier) {
        return Thrown.failure(thrown, classifier);
    }

    /**
     * Returns a copy with another code, which rules of a retry policy can match.
     *
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    public JobFailure withCode(String code) {
        return new JobFailure(kind, code, message, details, exceptionTypes);
    }

    /** Returns a copy that is never retried. */
    public JobFailure asTerminal() {
        return new JobFailure(FailureKind.TERMINAL, code, message, details, exceptionTypes);
    }

    /** Returns a copy that is retried as the retry policy decides. */
    public JobFailure asRetryable() {
        return new JobFailure(FailureKind.RETRYABLE, code, message, details, exceptionTypes);
    }

    /**
     * Returns a copy with machine-readable details.
     *
     * @param details any JSON; stored with the message
     */
    public JobFailure withDetails(Json details) {
        return new JobFailure(kind, code, message, details, exceptionTypes);
    }

    /** The class name of the exception, or null if no exception was thrown. */
    public @Nullable String exceptionClass() {
        return exceptionTypes.isEmpty() ? null : exceptionTypes.get(0);
    }

    private static JobFailure of(FailureKind kind, String code, @Nullable String message) {
        return new JobFailure(kind, code, message == null ? "(no message)" : message, null, List.of());
    }

    private static boolean isPlain(String code) {
        return Text.isStorable(code) && code.codePoints().noneMatch(Character::isISOControl);
    }
}
