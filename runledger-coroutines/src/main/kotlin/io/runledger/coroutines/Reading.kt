package io.runledger.coroutines

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import java.lang.reflect.Type

/** Decodes [json] as [type]; throws with the code [refusal] if it is no such value. Null only for the JSON value `null`. */
@Suppress("UNCHECKED_CAST") // the codec returns a value of the given type
internal fun <T : Any> PayloadCodec.read(json: Json, type: Type, refusal: ErrorCode): T? = try {
    if (type is Class<*>) decode(json, type) as T? else decode(json, type) as T?
} catch (failure: RuntimeException) {
    throw InvalidRequestException(
        refusal,
        "${refusal.message()} Ask for the type it was written as, or for Json.",
        failure.message,
        failure,
    )
}
