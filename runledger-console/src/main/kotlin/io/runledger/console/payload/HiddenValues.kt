package io.runledger.console.payload

import io.runledger.console.content.Redaction
import io.runledger.model.json.Json
import tools.jackson.databind.JsonNode
import tools.jackson.databind.node.ArrayNode
import tools.jackson.databind.node.ObjectNode

/**
 * Puts the values back that a page hides. An operator who edits a document sees a sign in their place; where the sign is left,
 * the value stays as it is.
 */
internal class HiddenValues(private val redaction: Redaction) {
    /** Whether [name] is the name of a hidden value. */
    fun hides(name: String): Boolean = redaction.hides(name)

    /**
     * [edited] with the values of [original] where the sign stands. Throws [UnknownValue] where it cannot know which value is
     * meant.
     */
    fun restored(edited: Json, original: Json?): Json {
        if (Redaction.SIGN !in edited.text()) return edited
        val tree = JsonTrees.read(edited)
        restore(tree, original?.let(JsonTrees::read), "")
        return JsonTrees.write(tree)
    }

    private fun restore(edited: JsonNode, original: JsonNode?, path: String) {
        when (edited) {
            is ObjectNode -> edited.propertyNames().toList().forEach { name ->
                val value = edited.get(name)
                val known = (original as? ObjectNode)?.get(name)
                val place = if (path.isEmpty()) name else "$path.$name"
                if (hides(name) && value.isString && value.stringValue() == Redaction.SIGN) {
                    edited.set(name, known ?: throw UnknownValue(place))
                } else {
                    restore(value, known, place)
                }
            }

            is ArrayNode -> {
                // In an array of another length, an element's position does not tell which value was hidden.
                val known = (original as? ArrayNode)?.takeIf { it.size() == edited.size() }
                for (at in 0 until edited.size()) restore(edited.get(at), known?.get(at), "$path[$at]")
            }

            else -> Unit
        }
    }

    /** There is no hidden value at [place], or it is not certain which one belongs there. */
    class UnknownValue(val place: String) : RuntimeException(place)
}
