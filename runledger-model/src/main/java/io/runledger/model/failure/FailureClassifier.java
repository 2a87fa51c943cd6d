package io.runledger.model.failure;

import java.util.function.Predicate;

/**
 * Assigns a failure code or kind to an exception, so that the rules of a retry policy can match it. Use a classifier if
 * the decision depends on details of the exception, such as a status, a cause or a message.
 *
 * <p>A classifier must not block. If it throws or returns null, the failure is not changed.
 */
@FunctionalInterface
public interface FailureClassifier {
    /**
     * @param thrown the exception, without {@code CompletionException} and {@code ExecutionException}
     * @param failure default failure for the exception
     * @return the failure, or a copy made with {@link JobFailure#withCode} or {@link JobFailure#asTerminal()}
     */
    JobFailure classify(Throwable thrown, JobFailure failure);

    /** Retries only transient exceptions; all other exceptions fail permanently. */
    static FailureClassifier retryingOnly(Predicate<? super Throwable> isTransient) {
        return (thrown, failure) -> isTransient.test(thrown) ? failure : failure.asTerminal();
    }
}
