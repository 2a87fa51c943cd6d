package io.runledger.exposed.context

import io.runledger.model.value.Identifier

/** The operator whose calls are recorded, and the key that makes one call repeatable. */
internal class Operator(actor: String, key: String?) {
    val actor: String = Identifier.ACTOR.require(actor)
    val key: String? = key?.let(Identifier.ACTION_KEY::require)
}
