package io.runledger.console.payload

import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import tools.jackson.databind.node.JsonNodeFactory

/** An example of a payload, made from the class that its type declares. */
internal object PayloadSample {
    /**
     * Null if the class of [type] has other members than texts, numbers and the like, or if [codec] does not read the example.
     */
    fun of(type: JobType<*>, codec: PayloadCodec): Json? {
        val members = (type.payloadType() as? Class<*>)?.let(PayloadMember::of) ?: return null
        val guess = JsonNodeFactory.instance.objectNode()
        members.forEach { member ->
            when (member.kind) {
                PayloadMember.Kind.WHOLE_NUMBER, PayloadMember.Kind.NUMBER -> guess.put(member.name, 0)
                PayloadMember.Kind.BOOLEAN -> guess.put(member.name, false)
                else -> guess.put(member.name, member.example)
            }
        }
        return try {
            // The codec knows the names that the document has in the end.
            codec.encode(codec.decode(JsonTrees.write(guess), type.payloadType()), type.payloadType())
        } catch (_: Exception) {
            null
        }
    }
}
