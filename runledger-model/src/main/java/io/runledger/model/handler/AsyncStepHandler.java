package io.runledger.model.handler;

import java.util.concurrent.CompletionStage;

/** Runs one step of a machine asynchronously and returns the transition to the next step. See {@link StepHandler}. */
@FunctionalInterface
public interface AsyncStepHandler<S, T extends S> {
    /**
     * Must not block.
     *
     * @param job valid until the stage completes
     * @return {@code job.goTo(...)}, {@code job.done(...)}, or any other outcome
     * @throws Exception of any kind; has the same effect as a failed stage
     */
    CompletionStage<JobOutcome> handle(StepContext<S, T> job) throws Exception;
}
