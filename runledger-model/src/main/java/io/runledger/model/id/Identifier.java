package io.runledger.model.id;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What text may name what. Every name is not blank, holds no control character, can be stored by PostgreSQL and has a size limit in
 * UTF-8 bytes; case and inner white space are kept as given.
 */
public enum Identifier {
    /** A job type, for example {@code mail.send}. */
    JOB_TYPE("job type", 255, ErrorCode.INVALID_JOB_TYPE),
    /** A workflow type, for example {@code orders.fulfil}. */
    WORKFLOW_TYPE("workflow type", 255, ErrorCode.DAG_WORKFLOW_TYPE),
    /** A step's key, unique within its run. */
    STEP_KEY("step key", 255, ErrorCode.DAG_STEP_KEY),
    /** What a step calls the output of another one that it uses. */
    INPUT_NAME("input name", 255, ErrorCode.DAG_INPUT),
    /** A worker process. */
    WORKER_ID("worker id", 255, ErrorCode.INVALID_WORKER_ID),
    /** What orders can call a worker by. */
    WORKER_LABEL("worker label", 255, ErrorCode.INVALID_ARGUMENT),
    /** Who is handed dead letters. */
    HOOK("hook name", 255, ErrorCode.INVALID_ARGUMENT),
    /** A job's idempotency key. */
    IDEMPOTENCY_KEY("idempotency key", 512, ErrorCode.INVALID_IDEMPOTENCY_KEY),
    /** A run's idempotency key. */
    RUN_IDEMPOTENCY_KEY("idempotency key", 512, ErrorCode.DAG_IDEMPOTENCY_KEY),
    /** A run's active key: at most one live run holds it. */
    ACTIVE_KEY("active key", 512, ErrorCode.DAG_INVALID),
    /** What makes an append repeatable. */
    MUTATION_KEY("mutation key", 512, ErrorCode.APPEND_KEY_BLANK),
    /** What makes a recovery repeatable. */
    RECOVERY_KEY("recovery request key", 512, ErrorCode.RECOVERY_KEY_INVALID),
    /** A schedule's name. */
    SCHEDULE_NAME("schedule name", 255, ErrorCode.INVALID_SCHEDULE_NAME),
    /** What a poll found, which starts once. */
    DEDUP_KEY("dedup key", 512, ErrorCode.INVALID_DEDUP_KEY);

    private final String noun;
    private final int maxBytes;
    private final ErrorCode code;

    Identifier(String noun, int maxBytes, ErrorCode code) {
        this.noun = noun;
        this.maxBytes = maxBytes;
        this.code = code;
    }

    /**
     * The code a text that breaks the rule is refused with.
     *
     * @return a validation code
     */
    public ErrorCode code() {
        return code;
    }

    /**
     * The size limit.
     *
     * @return bytes in UTF-8
     */
    public int maxBytes() {
        return maxBytes;
    }

    /**
     * What is wrong with a text, if anything. The sentence does not repeat the text: keys are not for logs.
     *
     * @param text the text, or null
     * @return a sentence that says what is wrong and what to do, or empty
     */
    public Optional<String> problem(@Nullable String text) {
        if (text == null || Text.isBlank(text)) {
            return Optional.of("The " + noun + " is blank: give it at least one visible character.");
        }
        if (text.codePoints().anyMatch(Character::isISOControl) || !Text.isStorable(text)) {
            return Optional.of(
                    "The " + noun + " contains a control character or half a surrogate pair: use visible text.");
        }
        long bytes = Text.utf8Length(text);
        if (bytes > maxBytes) {
            return Optional.of(
                    "The " + noun + " is " + bytes + " bytes long in UTF-8: shorten it to " + maxBytes + ".");
        }
        return Optional.empty();
    }

    /**
     * Passes a text that may serve as this name.
     *
     * @param text the text, or null
     * @return the same text
     * @throws InvalidRequestException with {@link #code()} when it may not
     */
    public String require(@Nullable String text) {
        Optional<String> problem = problem(text);
        if (text == null || problem.isPresent()) {
            throw new InvalidRequestException(code, problem.orElseThrow());
        }
        return text;
    }
}
