package io.runledger.exposed.json

import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.JobFlow
import io.runledger.model.flow.TypeFlow
import io.runledger.model.json.Json

/** What a job says about its flow, as the inserting statements read it; null if it says nothing. */
internal fun JobFlow.storedForm(): Json? = if (isEmpty) {
    null
} else {
    val members = LinkedHashMap<String, Any?>()
    queue()?.let { members["queue"] = it }
    limits().takeIf { it.isNotEmpty() }?.let { members["limits"] = it }
    if (unordered() || orderKey() != null) members["order"] = orderKey()
    shareKey()?.let { members["share"] = it }
    plainJson(members)
}

/** Reads the flow that [JobFlow.storedForm] wrote into a snapshot. */
internal fun readJobFlow(members: Map<*, *>?): JobFlow = if (members == null) {
    JobFlow.NONE
} else {
    val named = JobFlow(
        members["queue"] as String?,
        emptyMap(),
        members["order"] as String?,
        "order" in members && members["order"] == null,
        members["share"] as String?,
    )
    (members["limits"] as Map<*, *>?).orEmpty().entries.fold(named) { flow, (name, key) ->
        flow.withLimit(name as String, key as String?)
    }
}

/** What a type declares about its flow, as its definition stores it, without the values of the limits; null if it is nothing. */
internal fun TypeFlow<*>.storedForm(): Json? = if (isEmpty) {
    null
} else {
    val members = LinkedHashMap<String, Any?>()
    queue()?.let { members["queue"] = it }
    limits().takeIf { it.isNotEmpty() }?.let { limits ->
        members["limits"] = limits.map { mapOf("name" to it.name(), "by" to it.key().by().wire()) }
    }
    order()?.let { order ->
        val held = mapOf("by" to order.key().by().wire(), "holds" to (order.afterDeadLetter() == AfterDeadLetter.HOLD))
        members["order"] = order.name()?.let { held + ("name" to it) } ?: held
    }
    share()?.let { members["share"] = mapOf("by" to it.by().wire()) }
    plainJson(members)
}
