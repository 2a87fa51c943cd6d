package io.runledger.model.handler;

/**
 * Runs one step of a machine with blocking code and returns the transition to the next step. As with
 * {@link JobHandler}, a step may run again after a crash, so effects outside the ledger should be idempotent.
 */
@FunctionalInterface
public interface StepHandler<S, T extends S> {
    /**
     * @return {@code job.goTo(...)}, {@code job.done(...)}, or any other outcome; null has the effect of a panic
     * @throws Exception of any kind; the step is retried according to its retry settings, and the machine becomes a
     *     dead letter after the last attempt
     */
    JobOutcome handle(StepContext<S, T> job) throws Exception;
}
