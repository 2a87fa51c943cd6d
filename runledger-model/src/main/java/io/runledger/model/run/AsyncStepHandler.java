package io.runledger.model.run;

import java.util.concurrent.CompletionStage;

/**
 * What one step of a machine does, as code that does not block, and where it goes from there. See {@link StepHandler}.
 *
 * @param <S> all steps of the machine
 * @param <T> this step
 */
@FunctionalInterface
public interface AsyncStepHandler<S, T extends S> {
    /**
     * Begins the step. Must not block.
     *
     * @param job where the machine stands, and the words for where it goes; valid until the stage is complete
     * @return completes with {@code job.goTo(...)}, {@code job.done(...)}, or any other outcome
     * @throws Exception of any kind; counts like a stage that fails with it
     */
    CompletionStage<JobOutcome> handle(StepContext<S, T> job) throws Exception;
}
