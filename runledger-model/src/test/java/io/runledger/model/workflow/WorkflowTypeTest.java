package io.runledger.model.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.json.Payload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkflowTypeTest {
    private static final WorkflowParameter<String> REGION = WorkflowParameter.required("region", String.class);
    private static final WorkflowParameter<Integer> DAYS =
            WorkflowParameter.optional("days", Integer.class, 7).mustBe("1 to 90", days -> days >= 1 && days <= 90);
    private static final WorkflowType REPORT = WorkflowType.of(
            "report",
            List.of(REGION, DAYS),
            (values, workflow) ->
                    workflow.job("collect", job -> job.runs("collect", values.get(REGION) + values.get(DAYS))));

    @Test
    void valuesBecomeAWorkflow() {
        var request = REPORT.request(REGION.of("north"), DAYS.of(30));

        assertEquals(Payload.of("north30"), request.steps().get(0).payload());
    }

    @Test
    void allProblemsComeAtOnce() {
        var refused =
                assertThrows(InvalidWorkflowException.class, () -> REPORT.request(Map.of("days", 91, "colour", "red")));

        assertEquals(
                List.of(ErrorCode.PARAMETER_UNKNOWN, ErrorCode.PARAMETER_MISSING, ErrorCode.PARAMETER_NOT_ALLOWED),
                refused.problems().stream().map(WorkflowProblem::code).toList());
    }
}
