package io.runledger.coroutines.worker

import io.runledger.coroutines.Handlers
import io.runledger.model.json.PayloadCodec
import org.slf4j.LoggerFactory

/** Prepares the codec for the payload types of a worker while its first claim is under way. */
internal class PayloadTypes(private val handlers: Handlers, private val codec: PayloadCodec) {
    fun prepare() = handlers.jobTypes.forEach { type ->
        try {
            codec.prepare(type.payloadType())
        } catch (failure: Exception) {
            // The same failure parks the jobs of the type when they are decoded.
            log.debug("The codec cannot prepare for payloads of job type {}.", type.name(), failure)
        }
    }

    private companion object {
        val log = LoggerFactory.getLogger(PayloadTypes::class.java)
    }
}
