package io.runledger.model.run;

import io.runledger.model.workflow.GateExpiry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a gate. All values are null if the gate has no deadline.
 *
 * @param expiresAfter time from the opening to the deadline
 * @param expiry status at the deadline
 * @param expiresAt deadline; null until the gate opens
 */
public record StepGate(
        @Nullable Duration expiresAfter,
        @Nullable GateExpiry expiry,
        @Nullable Instant expiresAt) {}
