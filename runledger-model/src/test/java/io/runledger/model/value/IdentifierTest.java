package io.runledger.model.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdentifierTest {
    @Test
    void aNameIsCheckedInPassing() {
        String type = Identifier.JOB_TYPE.require("mail.send");

        assertEquals("mail.send", type);
        assertTrue(Identifier.JOB_TYPE.problem(type).isEmpty());
    }

    @Test
    void nullIsBlank() {
        var refused = assertThrows(InvalidRequestException.class, () -> Identifier.STEP_KEY.require(null));

        assertEquals(ErrorCode.DAG_STEP_KEY, refused.code());
    }

    @Test
    void anIdTellsItsTime() {
        UUID first = UuidV7.next();
        UUID second = UuidV7.next();
        Instant made = UuidV7.instantOf(first);

        assertTrue(first.compareTo(second) < 0);
        assertTrue(!made.isAfter(UuidV7.instantOf(second)));
    }
}
