package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import io.runledger.model.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How and why an attempt failed. Whatever a handler says here can be written: characters PostgreSQL cannot store are
 * replaced in the message, and a message above 8 KiB is cut at its end. Operators read it and rows keep it, so it should
 * hold no secret.
 *
 * @param kind how it failed
 * @param code a stable word for the cause, the handler's own or the library's, for example {@code mail.address_unknown}
 * @param message what happened, for people
 * @param details what happened, for programs, or null
 * @param exceptionTypes names of the exception's class and its superclasses, most special first; empty without an exception
 */
public record JobFailure(
        FailureKind kind,
        String code,
        String message,
        @Nullable Json details,
        List<String> exceptionTypes) {
    private static final int CODE_BYTES = 255;

    /**
     * Checks the code and makes the message fit.
     *
     * @param kind see the record
     * @param code see the record
     * @param message see the record
     * @param details see the record
     * @param exceptionTypes see the record
     * @throws InvalidRequestException with {@code request.invalid} for a code that is blank, above 255 bytes or not plain text
     */
    public JobFailure {
        Objects.requireNonNull(kind, "kind");
        if (Text.isBlank(code) || Text.utf8Length(code) > CODE_BYTES || !isPlain(code)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The failure code " + Text.quoted(code) + " cannot be stored: use visible text of 1 to "
                            + CODE_BYTES + " bytes.");
        }
        message = Bounds.message(message);
        exceptionTypes = List.copyOf(exceptionTypes);
    }

    /**
     * A failure that may be tried again.
     *
     * @param code a stable word for the cause
     * @param message what happened; null counts as none
     * @return the failure
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    public static JobFailure retryable(String code, @Nullable String message) {
        return of(FailureKind.RETRYABLE, code, message);
    }

    /**
     * A failure that is never tried again.
     *
     * @param code a stable word for the cause
     * @param message what happened; null counts as none
     * @return the failure
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    public static JobFailure terminal(String code, @Nullable String message) {
        return of(FailureKind.TERMINAL, code, message);
    }

    /**
     * A broken handler, with code {@code job.handler_panic}.
     *
     * @param message what happened; null counts as none
     * @return the failure
     */
    public static JobFailure panicked(@Nullable String message) {
        return of(FailureKind.PANICKED, ErrorCode.HANDLER_PANIC.wire(), message);
    }

    /**
     * A handler stopped by its timeout, with code {@code job.timeout_exceeded}.
     *
     * @param limit the timeout
     * @return the failure
     */
    public static JobFailure timeout(Duration limit) {
        return of(
                FailureKind.TIMEOUT,
                ErrorCode.TIMEOUT_EXCEEDED.wire(),
                "The handler ran longer than its timeout of " + limit + ".");
    }

    /**
     * A worker that stopped renewing its lease, with code {@code job.lease_expired}.
     *
     * @return the failure
     */
    public static JobFailure leaseExpired() {
        return of(FailureKind.LEASE_EXPIRED, ErrorCode.LEASE_EXPIRED.wire(), ErrorCode.LEASE_EXPIRED.message());
    }

    /**
     * What a handler threw. An exception may be tried again ({@code job.handler_failed}), an {@link Error} is a panic
     * ({@code job.handler_panic}). An {@link InvalidRequestException} about the handler's own outcome, progress or checkpoint is
     * terminal under its own code: the next attempt would say the same. {@code CompletionException} and {@code
     * ExecutionException} are looked through. The message names class, text and causes.
     *
     * @param thrown what the handler threw
     * @return the failure
     */
    public static JobFailure of(Throwable thrown) {
        return Thrown.failure(thrown);
    }

    /**
     * What a handler threw, as a classifier sees it. A classifier that throws or answers with null has no say.
     *
     * @param thrown what the handler threw
     * @param classifier who knows more about it
     * @return the failure
     */
    public static JobFailure of(Throwable thrown, FailureClassifier classifier) {
        return Thrown.failure(thrown, classifier);
    }

    /**
     * The same failure under another code.
     *
     * @param code a stable word for the cause, for rules of a retry policy to match
     * @return a copy
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    public JobFailure withCode(String code) {
        return new JobFailure(kind, code, message, details, exceptionTypes);
    }

    /**
     * The same failure, never tried again.
     *
     * @return a copy
     */
    public JobFailure asTerminal() {
        return new JobFailure(FailureKind.TERMINAL, code, message, details, exceptionTypes);
    }

    /**
     * The same failure, tried again if the retry policy has nothing against it.
     *
     * @return a copy
     */
    public JobFailure asRetryable() {
        return new JobFailure(FailureKind.RETRYABLE, code, message, details, exceptionTypes);
    }

    /**
     * The same failure with something for programs to read.
     *
     * @param details any JSON; stored beside the message
     * @return a copy
     */
    public JobFailure withDetails(Json details) {
        return new JobFailure(kind, code, message, details, exceptionTypes);
    }

    /**
     * The exception behind it.
     *
     * @return its class name, or null when nothing was thrown
     */
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
