package io.runledger.coroutines

import io.runledger.model.error.ErrorCode
import io.runledger.model.handler.JobOutcome
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import java.lang.reflect.Type

/** The same outcome with all values as JSON; throws with the code of the value that cannot be encoded. */
internal fun JobOutcome.Succeeded.encoded(codec: PayloadCodec): JobOutcome.Succeeded = JobOutcome.Succeeded(
    output()?.asJson(codec, ErrorCode.INVALID_OUTPUT),
    contributions().mapValues { it.value.asJson(codec, ErrorCode.INVALID_CONTEXT) },
)

/** The same outcome with all values as JSON, the payload as [payloadType]; throws with the code of the value that fails. */
internal fun JobOutcome.Continue.encoded(codec: PayloadCodec, payloadType: Type): JobOutcome.Continue = JobOutcome.Continue(
    payload()?.let { Payload.of(it.value(), payloadType).asJson(codec, ErrorCode.INVALID_PAYLOAD) },
    checkpoint()?.asJson(codec, ErrorCode.INVALID_CHECKPOINT),
    delay(),
)

private fun Payload.asJson(codec: PayloadCodec, refusal: ErrorCode): Payload = Payload.of(encode(codec, refusal))
