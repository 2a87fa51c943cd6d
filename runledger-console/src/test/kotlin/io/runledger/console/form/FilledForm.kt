package io.runledger.console.form

import io.runledger.console.ConsoleBench
import io.runledger.console.Viewer
import java.net.http.HttpResponse

/** The form of a page, with the values that a browser would send. */
class FilledForm(html: String) {
    private val form = checkNotNull(FORM.find(html)) { "The page has no form: $html" }

    /** Where the form is sent to, below the console. */
    val path: String = attributes(form.groupValues[1]).getValue("action").removePrefix(ConsoleBench.BASE)

    val fields: List<Pair<String, String>> = inputs() + selects() + texts()

    operator fun get(name: String): String? = fields.firstOrNull { it.first == name }?.second

    /** The fields with [entries] in place of those of the same names. */
    fun with(vararg entries: Pair<String, String>): List<Pair<String, String>> {
        val names = entries.map { it.first }
        return fields.filter { it.first !in names } + entries
    }

    private fun inputs() = INPUT.findAll(form.value).map { attributes(it.groupValues[1]) }
        .filter { it["type"] != "checkbox" || "checked" in it }
        .map { it.getValue("name") to it["value"].orEmpty() }.toList()

    private fun selects() = SELECT.findAll(form.value).map { select ->
        val options = OPTION.findAll(select.groupValues[2]).map { attributes(it.groupValues[1]) }.toList()
        val chosen = options.firstOrNull { "selected" in it } ?: options.first()
        attributes(select.groupValues[1]).getValue("name") to chosen.getValue("value")
    }.toList()

    private fun texts() = TEXT.findAll(form.value)
        .map { attributes(it.groupValues[1]).getValue("name") to unescaped(it.groupValues[2]).removePrefix("\n") }.toList()

    private fun attributes(text: String): Map<String, String> = ATTRIBUTE.findAll(text)
        .associate { it.groupValues[1] to unescaped(it.groupValues[2]) }

    private companion object {
        val FORM = Regex("<form([^>]*method=\"post\"[^>]*)>.*?</form>", RegexOption.DOT_MATCHES_ALL)
        val INPUT = Regex("<input([^>]*)>")
        val SELECT = Regex("<select([^>]*)>(.*?)</select>", RegexOption.DOT_MATCHES_ALL)
        val OPTION = Regex("<option([^>]*)>")
        val TEXT = Regex("<textarea([^>]*)>(.*?)</textarea>", RegexOption.DOT_MATCHES_ALL)
        val ATTRIBUTE = Regex("([a-z-]+)=\"([^\"]*)\"")

        fun unescaped(text: String) =
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
    }
}

/** The form of the page at [path]. */
fun Viewer.form(path: String): FilledForm = FilledForm(get(path).body())

/** Opens the page at [path], fills in its form with [entries] and sends it. */
fun Viewer.fill(path: String, vararg entries: Pair<String, String>): HttpResponse<String> =
    form(path).let { postRaw(it.path, it.with(*entries)) }

/** Sends [form] as it is on the page, with [entries]. */
fun Viewer.send(form: FilledForm, vararg entries: Pair<String, String>): HttpResponse<String> =
    postRaw(form.path, form.with(*entries))

/** Where the browser is sent next, below the console. */
fun HttpResponse<*>.location(): String? = headers().firstValue("Location").map { it.removePrefix(ConsoleBench.BASE) }.orElse(null)
