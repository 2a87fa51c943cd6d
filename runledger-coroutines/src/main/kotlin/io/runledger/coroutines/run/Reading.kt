package io.runledger.coroutines.run

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import java.lang.reflect.Type

/** What [json] is as a [type]; refused with [refusal] when it is something else. Null only for the JSON value `null`. */
@Suppress("UNCHECKED_CAST") // the codec answers with what it was asked for
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
