package io.runledger.exposed.json

import io.runledger.model.json.Json
import tools.jackson.databind.JsonNode
import java.security.MessageDigest
import java.util.HexFormat

/**
 * A digest that is the same for texts that are equal as `jsonb`: the order of members, repeated members and the notation of
 * numbers do not count. The digests are stored, so the canonical form must not change.
 */
internal fun Json.digest(): String {
    val canonical = StringBuilder().value(exactTree(this)).toString()
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical.toByteArray()))
}

/** Texts are written with their length, so that different values never have the same form. */
private fun StringBuilder.value(node: JsonNode): StringBuilder = when {
    node.isObject -> node.properties().sortedBy { it.key }.fold(append('{')) { all, (name, value) ->
        all.text(name).value(value)
    }.append('}')

    node.isArray -> node.fold(append('[')) { all, element -> all.value(element) }.append(']')

    node.isString -> text(node.stringValue())

    node.isNumber -> append('#').append(node.decimalValue().stripTrailingZeros().toString()).append(';')

    else -> append(node.toString()).append(';')
}

private fun StringBuilder.text(text: String): StringBuilder = append('"').append(text.length).append(':').append(text)
