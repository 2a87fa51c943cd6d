package io.runledger.samples.house

import org.w3c.dom.Element
import org.xml.sax.InputSource
import java.io.StringReader
import javax.xml.parsers.DocumentBuilderFactory

/** One `pom.xml`; [properties] are its own, on top of [inherited]. */
internal class Pom(val file: String, text: String, private val inherited: Map<String, String> = emptyMap()) {
    val root: Element = secureParser().parse(InputSource(StringReader(text))).documentElement

    val version: String =
        text("version") ?: text("parent", "version") ?: error("$file: no <version>, neither its own nor a parent's")

    val groupId: String =
        text("groupId") ?: text("parent", "groupId") ?: error("$file: no <groupId>, neither its own nor a parent's")

    val artifactId: String = text("artifactId") ?: error("$file: no <artifactId>")

    val properties: Map<String, String> =
        inherited + mapOf("project.version" to version, "project.groupId" to groupId) +
            at("properties").flatMap { it.children() }.associate { it.tagName to it.textContent.trim() }

    /** The elements at [path], whatever their number. */
    fun at(vararg path: String): List<Element> = path.fold(listOf(root)) { found, name -> found.flatMap { it.children(name) } }

    /** The text at [path] as it is written, or null when there is no such element. */
    fun text(vararg path: String): String? = at(*path).firstOrNull()?.textContent?.trim()

    /** [text] with every `${property}` replaced. */
    fun filled(text: String): String = PLACEHOLDER.replace(text) { found ->
        val name = found.groupValues[1]
        filled(properties[name] ?: error("$file: nobody defines \${$name}; add it to <properties>"))
    }

    fun property(name: String): String = filled("\${$name}")

    private companion object {
        val PLACEHOLDER = Regex("""\$\{([^}]+)}""")

        fun secureParser() = DocumentBuilderFactory
            .newInstance()
            .apply { setFeature("http://apache.org/xml/features/disallow-doctype-decl", true) }
            .newDocumentBuilder()
    }
}

internal fun Element.children(name: String? = null): List<Element> =
    (0 until childNodes.length).map(childNodes::item).filterIsInstance<Element>().filter { name == null || it.tagName == name }

internal fun Element.text(name: String): String? = children(name).firstOrNull()?.textContent?.trim()
