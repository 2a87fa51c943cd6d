package io.runledger.exposed.intake

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.json.Payload

/** [payload] as JSON that the ledger takes; [owner] says whose it is, [refusal] is the code of what cannot be encoded. */
internal fun LedgerContext.encoded(payload: Payload, owner: String, refusal: ErrorCode = ErrorCode.INVALID_PAYLOAD): Json {
    val json = payload.encode(codec, refusal)
    val size = Text.utf8Length(json.text())
    if (size > maxPayloadBytes) {
        throw ErrorCode.PAYLOAD_TOO_LARGE.exception(
            "The payload of $owner is $size bytes: the ledger takes $maxPayloadBytes. " +
                "Store it elsewhere and pass a reference, or raise the client's limit.",
        )
    }
    return json
}
