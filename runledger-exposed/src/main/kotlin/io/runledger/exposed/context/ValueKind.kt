package io.runledger.exposed.context

import io.runledger.model.error.ErrorCode

/** The kind of a stored value, with its error codes and its size limit. */
internal enum class ValueKind(
    val noun: String,
    val invalid: ErrorCode,
    val tooLarge: ErrorCode,
    val setting: String,
    val limit: (SizeLimits) -> Int,
) {
    PAYLOAD("payload", ErrorCode.INVALID_PAYLOAD, ErrorCode.PAYLOAD_TOO_LARGE, "maxPayloadBytes", SizeLimits::payloadBytes),
    METADATA("metadata", ErrorCode.INVALID_PAYLOAD, ErrorCode.PAYLOAD_TOO_LARGE, "maxPayloadBytes", SizeLimits::payloadBytes),
    CONFIG(
        "runtime config",
        ErrorCode.INVALID_ARGUMENT,
        ErrorCode.PAYLOAD_TOO_LARGE,
        "maxPayloadBytes",
        SizeLimits::payloadBytes,
    ),
    OUTPUT("output", ErrorCode.INVALID_OUTPUT, ErrorCode.OUTPUT_TOO_LARGE, "maxOutputBytes", SizeLimits::outputBytes),
    CHECKPOINT(
        "checkpoint",
        ErrorCode.INVALID_CHECKPOINT,
        ErrorCode.CHECKPOINT_TOO_LARGE,
        "maxCheckpointBytes",
        SizeLimits::checkpointBytes,
    ),
    CONTEXT("context", ErrorCode.INVALID_PAYLOAD, ErrorCode.CONTEXT_TOO_LARGE, "maxContextBytes", SizeLimits::contextBytes),
    CONTRIBUTION(
        "contribution",
        ErrorCode.INVALID_CONTEXT,
        ErrorCode.CONTEXT_TOO_LARGE,
        "maxContextBytes",
        SizeLimits::contextBytes,
    ),
    FACTS("facts", ErrorCode.INVALID_ARGUMENT, ErrorCode.FACTS_TOO_LARGE, "maxFactsBytes", SizeLimits::factsBytes),
}
