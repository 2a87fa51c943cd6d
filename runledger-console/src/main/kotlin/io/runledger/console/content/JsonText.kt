package io.runledger.console.content

import io.runledger.model.json.Json
import tools.jackson.core.JsonGenerator
import tools.jackson.core.JsonParser
import tools.jackson.core.JsonToken
import tools.jackson.core.ObjectWriteContext
import tools.jackson.core.StreamReadConstraints
import tools.jackson.core.json.JsonFactory
import tools.jackson.core.util.DefaultIndenter
import tools.jackson.core.util.DefaultPrettyPrinter
import java.io.StringWriter

/** JSON of the ledger as text for people: indented, with secrets removed, and cut if it is long. */
internal class JsonText(val redaction: Redaction) {
    /** Text for a page. */
    class Shown(val text: String, val isCut: Boolean, val hasRedacted: Boolean)

    fun shown(json: Json, maxLength: Int = PAGE_LENGTH): Shown {
        val whole = pretty(json.text())
        return if (whole.first.length <= maxLength) {
            Shown(whole.first, isCut = false, whole.second)
        } else {
            Shown(whole.first.take(maxLength), isCut = true, whole.second)
        }
    }

    /** The whole text, indented and redacted. */
    fun whole(json: Json): String = pretty(json.text()).first

    private fun pretty(text: String): Pair<String, Boolean> {
        val out = StringWriter(text.length + text.length / 4)
        var hasRedacted = false
        factory.createParser(tools.jackson.core.ObjectReadContext.empty(), text).use { parser ->
            generator(out).use { generator ->
                while (true) {
                    val token = parser.nextToken() ?: break
                    if (token == JsonToken.PROPERTY_NAME && redaction.hides(parser.currentName())) {
                        generator.writeName(parser.currentName())
                        parser.nextToken()
                        parser.skipChildren()
                        generator.writeString(Redaction.SIGN)
                        hasRedacted = true
                    } else {
                        copy(generator, parser)
                    }
                }
            }
        }
        return out.toString() to hasRedacted
    }

    private fun generator(out: StringWriter): JsonGenerator = factory.createGenerator(context, out)

    private fun copy(generator: JsonGenerator, parser: JsonParser) = generator.copyCurrentEventExact(parser)

    private companion object {
        const val PAGE_LENGTH = 64 * 1024

        /** What PostgreSQL accepts is shown: it limits neither the depth nor the length of names and numbers as a parser does. */
        val factory: JsonFactory = JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(Int.MAX_VALUE).maxNumberLength(Int.MAX_VALUE).maxStringLength(Int.MAX_VALUE)
                .maxNameLength(Int.MAX_VALUE).build(),
        ).streamWriteConstraints(
            tools.jackson.core.StreamWriteConstraints.builder().maxNestingDepth(Int.MAX_VALUE).build(),
        ).build()

        val indenter = DefaultIndenter("  ", "\n")

        val context = object : ObjectWriteContext.Base() {
            override fun getPrettyPrinter() =
                DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter).createInstance()
        }
    }
}
