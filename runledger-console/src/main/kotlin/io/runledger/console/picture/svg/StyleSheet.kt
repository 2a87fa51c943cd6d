package io.runledger.console.picture.svg

private const val RESOURCE = "/io/runledger/console/picture/picture.css"
private const val FIRST_RULE = "/* Rules */"
private const val BY_THEME = ":root[data-theme=\"dark\"]"
private const val BY_PREFERENCE = ":root:not([data-theme=\"light\"])"

/** The style sheet of the pictures. */
internal object StyleSheet {
    private val comment = Regex("""/\*.*?\*/""", RegexOption.DOT_MATCHES_ALL)
    private val block = Regex("""\{([^{}]*--rl-[^{}]*)}""")
    private val variable = Regex("""(--rl-[\w-]+):\s*([^;]+);""")
    private val use = Regex("""var\((--rl-[\w-]+)\)""")
    private val rule = Regex("""([^{}]+)\{([^{}]*)}""")
    private val space = Regex("""\s+""")

    val text: String = requireNotNull(StyleSheet::class.java.getResource(RESOURCE)) {
        "The resource $RESOURCE is missing."
    }.readText().let(::alsoByPreference)

    /** Colors by the names of their variables: light, dark by preference, and dark by `data-theme`. */
    val palettes: List<Map<String, String>> = block.findAll(text.substringBefore(FIRST_RULE)).map {
        variables(it.groupValues[1])
    }.toList()

    /** The rules for light, with colors in place of variables, which many programs that show SVG files do not know. */
    val light: String = rules(palettes[0])
    val dark: String = rules(palettes[1])

    /** Rules for light, and for dark where the viewer prefers it. */
    val auto: String = "$light@media (prefers-color-scheme:dark){${rules(palettes[1], isColorOnly = true)}}"

    /** The file has the dark colors once, by `data-theme`. */
    private fun alsoByPreference(file: String): String {
        val dark = file.substring(file.indexOf(BY_THEME), file.indexOf(FIRST_RULE)).trim()
        return file.replace(dark, "@media (prefers-color-scheme: dark) {\n${dark.replace(BY_THEME, BY_PREFERENCE)}\n}\n\n$dark")
    }

    private fun variables(block: String): Map<String, String> =
        variable.findAll(block).associate { it.groupValues[1] to it.groupValues[2].trim() }

    private fun rules(palette: Map<String, String>, isColorOnly: Boolean = false): String =
        rule.findAll(text.substringAfter(FIRST_RULE).replace(comment, ""))
            .filter { !isColorOnly || use.containsMatchIn(it.groupValues[2]) }
            .joinToString("") { "${short(it.groupValues[1])}{${short(resolved(it.groupValues[2], palette))}}" }

    private fun resolved(body: String, palette: Map<String, String>): String = use.replace(body) {
        palette.getValue(it.groupValues[1])
    }

    private fun short(text: String): String =
        text.trim().replace(space, " ").replace(": ", ":").replace("; ", ";").removeSuffix(";")
}
