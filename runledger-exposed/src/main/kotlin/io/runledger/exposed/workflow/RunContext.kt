package io.runledger.exposed.workflow

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json

/** Throws `workflow.invalid_context` if the value is not a JSON object. [owner] names the value in the message. */
internal fun Json.requireObject(owner: String): Json {
    if (!text().trimStart().startsWith('{')) {
        throw ErrorCode.INVALID_CONTEXT.exception(
            "$owner is not a JSON object: pass a map, or a type that is encoded as an object.",
        )
    }
    return this
}
