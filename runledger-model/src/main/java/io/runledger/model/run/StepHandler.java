package io.runledger.model.run;

/**
 * What one step of a machine does, as blocking code, and where it goes from there. As with {@link JobHandler}, a step may be done
 * again after a crash, so its effects outside the ledger should be repeatable.
 *
 * @param <S> all steps of the machine
 * @param <T> this step
 */
@FunctionalInterface
public interface StepHandler<S, T extends S> {
    /**
     * Does the step.
     *
     * @param job where the machine stands, and the words for where it goes
     * @return {@code job.goTo(...)}, {@code job.done(...)}, or any other outcome; null counts as a panic
     * @throws Exception of any kind; the step is tried again as its retries say, and parked with all causes after the last attempt
     */
    JobOutcome handle(StepContext<S, T> job) throws Exception;
}
