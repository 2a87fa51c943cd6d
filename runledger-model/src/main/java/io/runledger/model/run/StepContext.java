package io.runledger.model.run;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one step of a machine, as the step's function sees it, and the words for where the machine goes from here. The
 * step is the machine's whole state: what the next step needs to know, it must be given.
 *
 * <p>Every going on begins a run of its own, so attempts count anew. What else a job can say ({@link JobOutcome#snooze}, {@link
 * JobOutcome#failed(String, String)}, {@link JobOutcome#canceled}) a step can say too.
 *
 * @param <S> all steps of the machine
 * @param <T> this step
 */
public interface StepContext<S, T extends S> extends JobContext<T> {
    /**
     * Where the machine stands.
     *
     * @return the step with its stored values
     */
    default T step() {
        return payload();
    }

    /**
     * Goes to another step at once, or to the same one with other values.
     *
     * @param next the step that follows
     * @return the outcome to end the function with
     */
    default JobOutcome goTo(S next) {
        return JobOutcome.continueNow(Objects.requireNonNull(next, "next"));
    }

    /**
     * Goes to another step after a delay. Meanwhile the machine is a row that waits: it takes no worker's place and survives them.
     *
     * @param next the step that follows
     * @param delay zero or more, rounded up to the microsecond
     * @return the outcome to end the function with
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} for a delay that is negative or too long
     */
    default JobOutcome goTo(S next, Duration delay) {
        return JobOutcome.continueAfter(delay, Objects.requireNonNull(next, "next"));
    }

    /**
     * The machine has come to its end.
     *
     * @return the outcome to end the function with
     */
    default JobOutcome done() {
        return JobOutcome.succeeded();
    }

    /**
     * The machine has come to its end, with an output.
     *
     * @param output what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @return the outcome to end the function with
     */
    default JobOutcome done(@Nullable Object output) {
        return JobOutcome.succeeded(output);
    }
}
