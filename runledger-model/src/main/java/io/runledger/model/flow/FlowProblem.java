package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;

/**
 * An invalid value of a {@link JobFlow}.
 *
 * @param message description of the problem and of the correction
 */
public record FlowProblem(ErrorCode code, String message) {}
