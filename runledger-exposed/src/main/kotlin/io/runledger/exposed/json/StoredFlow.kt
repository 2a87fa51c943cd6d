package io.runledger.exposed.json

import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.DefinedFlow
import io.runledger.model.flow.DefinedFlow.DefinedLimit
import io.runledger.model.flow.DefinedFlow.DefinedOrder
import io.runledger.model.flow.JobFlow
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.TypeFlow
import io.runledger.model.json.Json
import io.runledger.model.ledger.WireText

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

/** Reads what [TypeFlow.storedForm] wrote into the definition of [jobType]. */
internal fun Json?.readDefinedFlow(jobType: String): DefinedFlow = if (this == null) {
    DefinedFlow.NONE
} else {
    val members = plainMap(this)
    DefinedFlow(
        members["queue"] as String?,
        (members["limits"] as List<*>?).orEmpty().map { DefinedLimit((it as Map<*, *>)["name"] as String, it.by()) },
        (members["order"] as Map<*, *>?)?.let {
            val after = if (it["holds"] == false) AfterDeadLetter.GO_ON else AfterDeadLetter.HOLD
            DefinedOrder(it["name"] as String? ?: jobType, it.by(), after)
        },
        (members["share"] as Map<*, *>?)?.by(),
    )
}

private fun Map<*, *>.by(): KeyedBy = WireText.of(KeyedBy::class.java, this["by"] as String)
