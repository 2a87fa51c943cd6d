package io.runledger.console.content

import io.runledger.model.json.Json
import tools.jackson.core.JsonGenerator
import tools.jackson.core.JsonParser
import tools.jackson.core.JsonToken
import tools.jackson.core.ObjectReadContext
import tools.jackson.core.ObjectWriteContext
import tools.jackson.core.StreamReadConstraints
import tools.jackson.core.StreamWriteConstraints
import tools.jackson.core.json.JsonFactory
import tools.jackson.core.util.DefaultIndenter
import tools.jackson.core.util.DefaultPrettyPrinter
import tools.jackson.core.util.Separators

/** JSON of the ledger as text for people: indented, with secrets removed, and cut if it is long. */
internal class JsonText(val redaction: Redaction) {
    /** Text for a page. */
    class Shown(val text: String, val isCut: Boolean, val hasRedacted: Boolean)

    /** The beginning of [json]. What follows after [maxLength] characters is not read. */
    fun shown(json: Json, maxLength: Int = PAGE_LENGTH): Shown = pretty(json, maxLength)

    /** The whole text, indented and redacted. */
    fun whole(json: Json): String = pretty(json, Int.MAX_VALUE).text

    /** The members of an object that are texts, numbers or booleans, as text. Empty for other JSON. Secrets are removed. */
    fun members(json: Json): Map<String, String> = parser(json).use { parser ->
        if (parser.nextToken() == JsonToken.START_OBJECT) members(parser) else emptyMap()
    }

    private fun members(parser: JsonParser): Map<String, String> = buildMap {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            val name = parser.currentName()
            plain(parser, parser.nextToken())?.let { put(name, if (redaction.hides(name)) Redaction.SIGN else it) }
        }
    }

    /** The text of a text, number or boolean; null for anything else, which is skipped. */
    private fun plain(parser: JsonParser, value: JsonToken): String? = when {
        !value.isScalarValue -> null.also { parser.skipChildren() }
        value == JsonToken.VALUE_NULL -> null
        else -> parser.getString()
    }

    /** Whether [json] is an object with a member that is an object or a list. */
    fun hasNested(json: Json): Boolean = parser(json).use { parser ->
        if (parser.nextToken() != JsonToken.START_OBJECT) return true
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            if (!parser.nextToken().isScalarValue) return true
        }
        false
    }

    private fun pretty(json: Json, maxLength: Int): Shown {
        val out = LimitedWriter(maxLength)
        val hasRedacted = parser(json).use { parser ->
            factory.createGenerator(context, out).use { generator -> copy(parser, generator, out) }
        }
        return Shown(out.toString(), out.isFull, hasRedacted)
    }

    /** Copies until [out] is full. Returns whether something was hidden. */
    private fun copy(parser: JsonParser, generator: JsonGenerator, out: LimitedWriter): Boolean {
        var hasRedacted = false
        while (!out.isFull) {
            val token = parser.nextToken() ?: break
            if (token == JsonToken.PROPERTY_NAME && redaction.hides(parser.currentName())) {
                generator.writeName(parser.currentName())
                parser.nextToken()
                parser.skipChildren()
                generator.writeString(Redaction.SIGN)
                hasRedacted = true
            } else {
                generator.copyCurrentEventExact(parser)
            }
        }
        return hasRedacted
    }

    private fun parser(json: Json): JsonParser = factory.createParser(ObjectReadContext.empty(), json.text())

    private companion object {
        const val PAGE_LENGTH = 64 * 1024

        /**
         * Deeper levels are indented as this one: the text of deeply nested JSON would otherwise grow with the square of its
         * depth.
         */
        const val DEEPEST_INDENT = 24

        /** What PostgreSQL accepts is shown: it limits neither the depth nor the length of names and numbers as a parser does. */
        val factory: JsonFactory = JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(Int.MAX_VALUE).maxNumberLength(Int.MAX_VALUE).maxStringLength(Int.MAX_VALUE)
                .maxNameLength(Int.MAX_VALUE).build(),
        ).streamWriteConstraints(
            StreamWriteConstraints.builder().maxNestingDepth(Int.MAX_VALUE).build(),
        ).build()

        val indenter = object : DefaultIndenter("  ", "\n") {
            override fun writeIndentation(g: JsonGenerator, level: Int) = super.writeIndentation(g, minOf(level, DEEPEST_INDENT))
        }

        val separators: Separators = Separators.createDefaultInstance()
            .withObjectNameValueSpacing(Separators.Spacing.AFTER).withObjectEmptySeparator("").withArrayEmptySeparator("")

        val context = object : ObjectWriteContext.Base() {
            override fun getPrettyPrinter() =
                DefaultPrettyPrinter(separators).withObjectIndenter(indenter).withArrayIndenter(indenter).createInstance()
        }
    }
}
