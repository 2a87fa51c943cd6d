package io.runledger.model.render;

import io.runledger.model.condition.Condition;
import io.runledger.model.state.StepKind;
import io.runledger.model.state.WorkflowStepStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step to be drawn.
 *
 * @param key its name
 * @param kind job or gate
 * @param jobType type of its job, or null for a gate
 * @param status where it stands, or null in a definition
 * @param condition when it runs, or null for in any case
 * @param isResult whether its output becomes the run's result
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

    /** What is worth saying besides the key, in this order: job type unless it is the key, gate, condition, result, status. */
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
            details.add(Look.of(status).word());
        }
        return details;
    }
}
