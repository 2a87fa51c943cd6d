package io.runledger.model.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RunledgerExceptionTest {
    @Test
    void oneCatchTakesEverythingAndTheCodeTellsWhat() {
        RunledgerException caught = assertThrows(RunledgerException.class, () -> {
            throw new NotFoundException(ErrorCode.JOB_NOT_FOUND, "There is no such job: check the id.");
        });

        assertEquals(404, httpStatus(caught));
        assertEquals("There is no such job: check the id. [job.not_found]", caught.getMessage());
        assertNull(caught.internalMessage());
    }

    @Test
    void anInvalidWorkflowIsAnInvalidRequest() {
        var problem = new WorkflowProblem(ErrorCode.DAG_EMPTY, "steps", "there are none: add one.");
        RunledgerException thrown = new InvalidWorkflowException("workflow 'orders'", java.util.List.of(problem));

        assertInstanceOf(InvalidRequestException.class, thrown);
        assertEquals(400, httpStatus(thrown));
    }

    private static int httpStatus(RunledgerException exception) {
        return switch (exception.category()) {
            case VALIDATION -> 400;
            case NOT_FOUND -> 404;
            case CONFLICT, LEASE_LOST -> 409;
            case UNAVAILABLE -> 503;
            case SCHEMA, INTERNAL -> 500;
        };
    }
}
