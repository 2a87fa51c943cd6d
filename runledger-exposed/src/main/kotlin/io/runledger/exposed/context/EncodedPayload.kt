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
    val most = kind.limit(limits)
    // A character has at most three bytes, so most texts need no count.
    if (json.text().length <= most / BYTES_PER_CHARACTER) return json
    val size = Text.utf8Length(json.text())
    if (size > most) {
        throw kind.tooLarge.exception(
            "The ${kind.noun} of $owner is $size bytes: the limit is $most bytes. " +
                "Store it elsewhere and pass a reference, or raise the client's ${kind.setting}.",
        )
    }
    return json
}

private const val BYTES_PER_CHARACTER = 3
