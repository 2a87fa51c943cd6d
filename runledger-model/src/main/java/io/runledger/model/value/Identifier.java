package io.runledger.model.value;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names and keys. A name must not be blank, must not contain control characters, must be storable in
 * PostgreSQL and has a size limit in UTF-8 bytes. Case and inner white space are kept.
 */
public enum Identifier {
    /** A job type, for example {@code mail.send}. */
    JOB_TYPE("job type", 255, ErrorCode.INVALID_JOB_TYPE),
    /** A workflow type, for example {@code orders.fulfil}. */
    WORKFLOW_TYPE("workflow type", 255, ErrorCode.DAG_WORKFLOW_TYPE),
    /** A step key, unique within its run. */
    STEP_KEY("step key", 255, ErrorCode.DAG_STEP_KEY),
    /** The name under which a step uses the output of another step. */
    INPUT_NAME("input name", 255, ErrorCode.DAG_INPUT),
    /** The id of a worker process. */
    WORKER_ID("worker id", 255, ErrorCode.INVALID_WORKER_ID),
    /** A label by which worker orders select workers. */
    WORKER_LABEL("worker label", 255, ErrorCode.INVALID_ARGUMENT),
    /** The name of a hook that receives dead letters. */
    HOOK("hook name", 255, ErrorCode.INVALID_ARGUMENT),
    /** A job's idempotency key. */
    IDEMPOTENCY_KEY("idempotency key", 512, ErrorCode.INVALID_IDEMPOTENCY_KEY),
    /** The key of a unique, throttled, debounced or replaced job. */
    JOB_KEY("key", 512, ErrorCode.INVALID_JOB_KEY),
    /** A run's idempotency key. */
    RUN_IDEMPOTENCY_KEY("idempotency key", 512, ErrorCode.DAG_IDEMPOTENCY_KEY),
    /** The active key of a run. At most one live run holds it. */
    ACTIVE_KEY("active key", 512, ErrorCode.DAG_INVALID),
    /** The idempotency key of an append. */
    MUTATION_KEY("mutation key", 512, ErrorCode.APPEND_KEY_BLANK),
    /** The idempotency key of a recovery. */
    RECOVERY_KEY("recovery request key", 512, ErrorCode.RECOVERY_KEY_INVALID),
    /** The name of a schedule. */
    SCHEDULE_NAME("schedule name", 255, ErrorCode.INVALID_SCHEDULE_NAME),
    /** The key under which a poll starts a job or run at most once. */
    DEDUP_KEY("dedup key", 512, ErrorCode.INVALID_DEDUP_KEY),
    /** The name of an operator. */
    ACTOR("actor", 255, ErrorCode.INVALID_ARGUMENT),
    /** The key of an operator's action. */
    ACTION_KEY("action key", 512, ErrorCode.INVALID_ARGUMENT),
    /** The key of a limit, of an order or of a share. */
    FLOW_KEY("key", 200, ErrorCode.FLOW_KEY_INVALID);

    private final String noun;
    private final int maxBytes;
    private final ErrorCode code;

    Identifier(String noun, int maxBytes, ErrorCode code) {
        this.noun = noun;
        this.maxBytes = maxBytes;
        this.code = code;
    }

    /** The error code for an invalid name. */
    public ErrorCode code() {
        return code;
    }

    /** The size limit in UTF-8 bytes. */
    public int maxBytes() {
        return maxBytes;
    }

    /**
     * Describes the problem with a text and how to correct it, or returns empty if the text is valid. The description
     * does not contain the text, because keys must not be logged.
     */
    public Optional<String> problem(@Nullable String text) {
        if (text == null || Text.isBlank(text)) {
            return Optional.of("The " + noun + " is blank: use at least one visible character.");
        }
        if (hasControlCharacter(text) || !Text.isStorable(text)) {
            return Optional.of(
                    "The " + noun + " contains a control character or an unpaired surrogate: use visible text.");
        }
        long bytes = Text.utf8Length(text);
        if (bytes > maxBytes) {
            return Optional.of(
                    "The " + noun + " is " + bytes + " bytes long in UTF-8: shorten it to " + maxBytes + ".");
        }
        return Optional.empty();
    }

    private static boolean hasControlCharacter(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isISOControl(text.charAt(at))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the text if it is valid.
     *
     * @throws InvalidRequestException with {@link #code()} if the text is not valid
     */
    public String require(@Nullable String text) {
        Optional<String> problem = problem(text);
        if (text == null || problem.isPresent()) {
            throw new InvalidRequestException(code, problem.orElseThrow());
        }
        return text;
    }
}
