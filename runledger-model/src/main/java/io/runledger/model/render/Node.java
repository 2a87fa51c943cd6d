package io.runledger.model.render;

import io.runledger.model.condition.Condition;
import io.runledger.model.workflow.StepKind;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step in a diagram.
 *
 * @param jobType null for a gate
 * @param status null in a definition
 * @param condition null if there is none
 * @param isResult whether the output of the step is the result of the run
 */
record Node(
        String key,
        StepKind kind,
        @Nullable String jobType,
        @Nullable WorkflowStepStatus status,
        @Nullable Condition condition,
        boolean isResult) {
    boolean isGate() {
        return kind == StepKind.EXTERNAL;
    }

    /** The details after the key: job type unless it equals the key, gate, condition, result, status. */
    List<String> details() {
        List<String> details = new ArrayList<>();
        if (jobType != null && !jobType.equals(key)) {
            details.add(jobType);
        }
        if (isGate()) {
            details.add("gate");
        }
        if (condition != null) {
            details.add("if " + condition);
        }
        if (isResult) {
            details.add("result");
        }
        if (status != null) {
            details.add(StatusStyle.of(status).label());
        }
        return details;
    }
}
