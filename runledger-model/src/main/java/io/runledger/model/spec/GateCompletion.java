package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import io.runledger.model.json.Payload;
import io.runledger.model.state.WorkflowStepStatus;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a gate ends. Completing it again in the same words is harmless; in other words it is a conflict.
 *
 * @param runId the run
 * @param stepKey the gate
 * @param status SUCCEEDED, FAILED or CANCELED
 * @param output what its dependents can read; only with success
 * @param reason why, in a few words
 * @param errorCode code of a failure
 * @param errorMessage message of a failure
 */
public record GateCompletion(
        UUID runId,
        String stepKey,
        WorkflowStepStatus status,
        @Nullable Payload output,
        @Nullable String reason,
        @Nullable String errorCode,
        @Nullable String errorMessage) {
    private static final int MAX_BYTES = 8 * 1024;

    /**
     * Checks that it is an ending the ledger can keep.
     *
     * @param runId see the record
     * @param stepKey see the record
     * @param status see the record
     * @param output see the record
     * @param reason see the record
     * @param errorCode see the record
     * @param errorMessage see the record
     * @throws InvalidRequestException with {@code workflow.external_step_invalid_terminal_status} or {@code request.invalid}
     */
    public GateCompletion {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(stepKey, "stepKey");
        if (!status.isTerminal() || status == WorkflowStepStatus.SKIPPED) {
            throw new InvalidRequestException(
                    ErrorCode.GATE_INVALID_STATUS,
                    status + " is no end: complete a gate as SUCCEEDED, FAILED or CANCELED.");
        }
        if (output != null && status != WorkflowStepStatus.SUCCEEDED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "A gate that ends as " + status + " has no output: leave it out.");
        }
        requireKeepable("reason", reason);
        requireKeepable("errorCode", errorCode);
        requireKeepable("errorMessage", errorMessage);
    }

    private static void requireKeepable(String name, @Nullable String text) {
        if (text == null) {
            return;
        }
        if (Text.isBlank(text) || !Text.isStorable(text) || Text.utf8Length(text) > MAX_BYTES) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The gate's " + name + " is blank, not storable or longer than " + MAX_BYTES + " bytes.");
        }
    }

    /**
     * The gate succeeds; its dependents go on.
     *
     * @param runId the run
     * @param stepKey the gate
     * @return the completion
     */
    public static GateCompletion succeeded(UUID runId, String stepKey) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.SUCCEEDED, null, null, null, null);
    }

    /**
     * The gate succeeds with something for its dependents.
     *
     * @param runId the run
     * @param stepKey the gate
     * @param output {@link io.runledger.model.json.Json}, or an object the codec encodes
     * @return the completion
     */
    public static GateCompletion succeeded(UUID runId, String stepKey, @Nullable Object output) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.SUCCEEDED, Payload.of(output), null, null, null);
    }

    /**
     * The gate fails.
     *
     * @param runId the run
     * @param stepKey the gate
     * @param errorCode what kind of failure
     * @param errorMessage what happened
     * @return the completion
     */
    public static GateCompletion failed(UUID runId, String stepKey, String errorCode, String errorMessage) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.FAILED, null, null, errorCode, errorMessage);
    }

    /**
     * The gate is called off.
     *
     * @param runId the run
     * @param stepKey the gate
     * @param reason why
     * @return the completion
     */
    public static GateCompletion canceled(UUID runId, String stepKey, String reason) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.CANCELED, null, reason, null, null);
    }

    /**
     * The same ending with a reason.
     *
     * @param reason why, in a few words
     * @return a copy
     */
    public GateCompletion because(String reason) {
        return new GateCompletion(runId, stepKey, status, output, reason, errorCode, errorMessage);
    }
}
