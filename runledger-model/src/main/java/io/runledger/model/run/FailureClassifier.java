package io.runledger.model.run;

import java.util.function.Predicate;

/**
 * Says of what sort an exception is, in words that stored rules understand. A retry policy is data, which anybody can read and an
 * operator can change; what only code can tell about an exception (a status in it, its cause, its message) is told here, as the
 * failure's code or kind, when the handler has thrown it.
 *
 * <p>Must not block. What it throws, and null, leaves the failure as it was.
 */
@FunctionalInterface
public interface FailureClassifier {
    /**
     * Looks at what a handler threw.
     *
     * @param thrown the exception, without the wrappers of futures
     * @param failure what the library makes of it
     * @return that failure, or one made from it with {@link JobFailure#withCode} or {@link JobFailure#asTerminal()}
     */
    JobFailure classify(Throwable thrown, JobFailure failure);

    /**
     * Tries again only what is known to pass; everything else fails for good.
     *
     * @param isTransient whether an exception is of the kind that passes
     * @return the classifier
     */
    static FailureClassifier retryingOnly(Predicate<? super Throwable> isTransient) {
        return (thrown, failure) -> isTransient.test(thrown) ? failure : failure.asTerminal();
    }
}
