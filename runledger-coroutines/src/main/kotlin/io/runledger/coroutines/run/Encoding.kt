package io.runledger.coroutines.run

import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import io.runledger.model.run.JobOutcome
import java.lang.reflect.Type

/** The same with everything as JSON; refused with the code of what cannot be encoded. */
internal fun JobOutcome.Succeeded.encoded(codec: PayloadCodec): JobOutcome.Succeeded = JobOutcome.Succeeded(
    output()?.asJson(codec, ErrorCode.INVALID_OUTPUT),
    contributions().mapValues { it.value.asJson(codec, ErrorCode.INVALID_CONTEXT) },
)

/** The same with everything as JSON, the payload as one of [payloadType]; refused with the code of what cannot be encoded. */
internal fun JobOutcome.Continue.encoded(codec: PayloadCodec, payloadType: Type): JobOutcome.Continue = JobOutcome.Continue(
    payload()?.let { Payload.of(it.value(), payloadType).asJson(codec, ErrorCode.INVALID_PAYLOAD) },
    checkpoint()?.asJson(codec, ErrorCode.INVALID_CHECKPOINT),
    delay(),
)

private fun Payload.asJson(codec: PayloadCodec, refusal: ErrorCode): Payload = Payload.of(encode(codec, refusal))
