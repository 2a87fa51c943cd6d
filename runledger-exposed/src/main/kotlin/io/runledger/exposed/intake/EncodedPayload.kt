package io.runledger.exposed.intake

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.SizeLimits
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.json.Payload

/** What a value is to the ledger: the codes it is refused with, and how large it may be. */
internal enum class Role(
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

/** [value] as JSON that the ledger takes; [owner] says whose it is. */
internal fun LedgerContext.encoded(value: Payload, owner: String, role: Role = Role.PAYLOAD): Json =
    fitting(value.encode(codec, role.invalid), owner, role)

/** [json], unless it is larger than the ledger takes; [owner] says whose it is. */
internal fun LedgerContext.fitting(json: Json, owner: String, role: Role): Json {
    val size = Text.utf8Length(json.text())
    val most = role.limit(limits)
    if (size > most) {
        throw role.tooLarge.exception(
            "The ${role.noun} of $owner is $size bytes: the ledger takes $most. " +
                "Store it elsewhere and pass a reference, or raise the client's ${role.setting}.",
        )
    }
    return json
}
