package io.runledger.model.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a step that is a gate. All three are null for a gate that waits for ever.
 *
 * @param expiresAfter how long it stays open
 * @param expiry how it ends at its deadline
 * @param expiresAt when it ends by itself; null until it opens
 */
public record StepGate(
        @Nullable Duration expiresAfter,
        @Nullable GateExpiry expiry,
        @Nullable Instant expiresAt) {}
