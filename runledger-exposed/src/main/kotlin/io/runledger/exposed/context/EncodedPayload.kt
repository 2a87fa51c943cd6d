package io.runledger.exposed.context

import io.runledger.exposed.sql.exception
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.text.Text

/** [value] as JSON that the ledger accepts. [owner] names its owner in errors. */
internal fun LedgerContext.encoded(value: Payload, owner: String, kind: ValueKind = ValueKind.PAYLOAD): Json =
    fitting(value.encode(codec, kind.invalid), owner, kind)

/** [json]. Throws if it is too large. [owner] names its owner in errors. */
internal fun LedgerContext.fitting(json: Json, owner: String, kind: ValueKind): Json {
    val size = Text.utf8Length(json.text())
    val most = kind.limit(limits)
    if (size > most) {
        throw kind.tooLarge.exception(
            "The ${kind.noun} of $owner is $size bytes: the limit is $most bytes. " +
                "Store it elsewhere and pass a reference, or raise the client's ${kind.setting}.",
        )
    }
    return json
}
