package io.runledger.exposed.intake

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.json.Payload

/** [value] as JSON that the ledger takes; [owner] says whose it is. */
internal fun LedgerContext.encoded(value: Payload, owner: String, kind: ValueKind = ValueKind.PAYLOAD): Json =
    fitting(value.encode(codec, kind.invalid), owner, kind)

/** [json], unless it is larger than the ledger takes; [owner] says whose it is. */
internal fun LedgerContext.fitting(json: Json, owner: String, kind: ValueKind): Json {
    val size = Text.utf8Length(json.text())
    val most = kind.limit(limits)
    if (size > most) {
        throw kind.tooLarge.exception(
            "The ${kind.noun} of $owner is $size bytes: the ledger takes $most. " +
                "Store it elsewhere and pass a reference, or raise the client's ${kind.setting}.",
        )
    }
    return json
}
