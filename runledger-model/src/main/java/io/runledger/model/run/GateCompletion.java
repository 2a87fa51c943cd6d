package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Payload;
import io.runledger.model.text.Text;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a gate. Repeating the same completion has no effect; another completion causes a conflict.
 *
 * @param status SUCCEEDED, FAILED or CANCELED
 * @param output output for dependent steps; only allowed with success
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
     * @throws InvalidRequestException with {@code workflow.external_step_invalid_terminal_status} or
     *     {@code request.invalid}
     */
    public GateCompletion {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(stepKey, "stepKey");
        if (!status.isTerminal() || status == WorkflowStepStatus.SKIPPED) {
            throw new InvalidRequestException(
                    ErrorCode.GATE_INVALID_STATUS,
                    status + " is not a final status: complete a gate as SUCCEEDED, FAILED or CANCELED.");
        }
        if (output != null && status != WorkflowStepStatus.SUCCEEDED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "A gate that ends as " + status + " has no output: remove the output.");
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
                    "The gate's " + name + " is blank, not storable or longer than " + MAX_BYTES
                            + " bytes: use short visible text.");
        }
    }

    /** Completes the gate as succeeded. */
    public static GateCompletion succeeded(UUID runId, String stepKey) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.SUCCEEDED, null, null, null, null);
    }

    /**
     * Completes the gate as succeeded, with an output for dependent steps.
     *
     * @param output {@link io.runledger.model.json.Json}, or an object that the codec encodes
     */
    public static GateCompletion succeeded(UUID runId, String stepKey, @Nullable Object output) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.SUCCEEDED, Payload.of(output), null, null, null);
    }

    /** Completes the gate as failed. */
    public static GateCompletion failed(UUID runId, String stepKey, String errorCode, String errorMessage) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.FAILED, null, null, errorCode, errorMessage);
    }

    /** Completes the gate as canceled. */
    public static GateCompletion canceled(UUID runId, String stepKey, String reason) {
        return new GateCompletion(runId, stepKey, WorkflowStepStatus.CANCELED, null, reason, null, null);
    }

    /** Returns a copy with a reason. */
    public GateCompletion because(String reason) {
        return new GateCompletion(runId, stepKey, status, output, reason, errorCode, errorMessage);
    }
}
