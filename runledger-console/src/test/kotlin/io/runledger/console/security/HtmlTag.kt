package io.runledger.console.security

/** The start tags of a page, as a browser reads them. */
class HtmlTag(val name: String, val attributes: Map<String, String>, val textBehind: String) {
    override fun toString(): String = "<$name $attributes>"

    companion object {
        private val tag = Regex("""<([a-zA-Z][\w-]*)((?:\s+[^\s=>"'/]+(?:="[^"]*"|='[^']*'|=[^\s>]+)?)*)\s*/?>([^<]*)""")
        private val attribute = Regex("""([^\s=>"'/]+)(?:="([^"]*)"|='([^']*)'|=([^\s>]+))?""")

        fun of(page: String): List<HtmlTag> = tag.findAll(page).map { found ->
            val (name, attributes, text) = found.destructured
            HtmlTag(
                name.lowercase(),
                attribute.findAll(attributes).associate {
                    it.groupValues[1].lowercase() to it.groupValues.drop(2).joinToString("")
                },
                text,
            )
        }.toList()
    }
}
