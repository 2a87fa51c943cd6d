package io.runledger.model.operator;

import java.util.UUID;

/**
 * The result of an undo.
 *
 * @param actionId the action that records the undo
 * @param restored number of rows that are as they were before the undone action
 * @param movedOn number of rows that were not as the undone action left them, so the undo did not change them
 */
public record UndoneAction(UUID actionId, long restored, long movedOn) {}
