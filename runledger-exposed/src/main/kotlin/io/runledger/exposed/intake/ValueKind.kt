package io.runledger.exposed.intake

import io.runledger.exposed.SizeLimits
import io.runledger.model.error.ErrorCode

/** What a value is to the ledger: the codes it is refused with, and how large it may be. */
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
