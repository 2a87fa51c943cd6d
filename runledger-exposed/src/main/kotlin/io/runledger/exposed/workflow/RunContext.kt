package io.runledger.exposed.workflow

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json

/** Refused with `workflow.invalid_context` when it is anything but an object; [owner] says whose it is. */
internal fun Json.requireObject(owner: String): Json {
    if (!text().trimStart().startsWith('{')) {
        throw ErrorCode.INVALID_CONTEXT.exception("$owner is no JSON object: give a map, or what is encoded as an object.")
    }
    return this
}
