package io.runledger.console.picture

import io.runledger.console.picture.svg.Area
import org.w3c.dom.Element
import org.w3c.dom.Node
import org.xml.sax.InputSource
import java.io.StringReader
import javax.xml.parsers.DocumentBuilderFactory

/** A picture, read as XML: a text that is not well-formed fails here. */
class DrawnSvg(text: String) {
    val root: Element = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .apply { setErrorHandler(null) }
        .parse(InputSource(StringReader(text))).documentElement

    val width: Double = root.getAttribute("width").toDouble()
    val height: Double = root.getAttribute("height").toDouble()

    fun all(): List<Element> = descend(root)

    fun withClass(look: String): List<Element> = all().filter { look in it.getAttribute("class").split(' ') }

    fun named(name: String): List<Element> = all().filter { it.tagName == name }

    /** The first line of each step's or group's title, which begins with its name. */
    fun titles(look: String): List<String> = withClass(look).map { title(it).lines().first() }

    private fun descend(element: Element): List<Element> = listOf(element) + children(element).flatMap(::descend)
}

fun children(element: Element): List<Element> = (0 until element.childNodes.length).map { element.childNodes.item(it) }
    .filter { it.nodeType == Node.ELEMENT_NODE }.map { it as Element }

fun title(element: Element): String = children(element).first { it.tagName == "title" }.textContent

/** The places of the cards of a graph. */
internal fun cards(svg: DrawnSvg): List<Area> = (svg.withClass("rl-step") + svg.withClass("rl-group")).map { card ->
    val (x, y) = (card.parentNode as Element).getAttribute("transform").removePrefix("translate(").removeSuffix(")").split(' ')
    val outline = children(card).last { "rl-card" in it.getAttribute("class") }
    val (width, height) = if (outline.tagName == "rect") {
        outline.getAttribute("width").toDouble() to outline.getAttribute("height").toDouble()
    } else {
        Regex("""[-\d.]+""").findAll(outline.getAttribute("d")).map { it.value.toDouble() }.toList().let { it[3] to it[6] }
    }
    Area(x.toDouble(), y.toDouble(), width, height)
}
