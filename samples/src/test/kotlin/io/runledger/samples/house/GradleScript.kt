package io.runledger.samples.house

/**
 * The `plugins` and `dependencies` blocks of one `build.gradle.kts`.
 *
 * Reads only the forms this repository uses. Anything else in those blocks is an error and never skipped: a line that is
 * not understood could hide a difference.
 */
internal class GradleScript(val file: String, val text: String) {
    /** `configuration(notation)`, as written. */
    internal data class Line(val place: String, val configuration: String, val notation: String, val constraint: Boolean)

    val plugins: List<String>
    val dependencies: List<Line>

    init {
        val plugins = mutableListOf<String>()
        val dependencies = mutableListOf<Line>()
        val blocks = ArrayDeque<String>()
        text.lines().forEachIndexed { index, line ->
            val content = line.substringBefore("// ").trim()
            val place = "$file:${index + 1}"
            when {
                content.isEmpty() || content.startsWith("//") || content.startsWith("import ") -> Unit

                content == "}" && blocks.isNotEmpty() -> blocks.removeLast()

                blocks.lastOrNull() == PLUGINS -> plugins += pluginAt(place, content)

                blocks.lastOrNull() == DEPENDENCIES && content == CONSTRAINTS -> blocks += CONSTRAINTS

                blocks.lastOrNull() == DEPENDENCIES || blocks.lastOrNull() == CONSTRAINTS ->
                    dependencies += dependencyAt(place, content, constraint = blocks.last() == CONSTRAINTS)

                content == PLUGINS || content == DEPENDENCIES -> blocks += content

                else -> braces(place, content, blocks)
            }
        }
        check(blocks.isEmpty()) { "$file: cannot find the end of `${blocks.last()}`; close it with } on a line of its own" }
        this.plugins = plugins
        this.dependencies = dependencies
    }

    /** Lines outside the blocks we read only matter for where those blocks begin. */
    private fun braces(place: String, content: String, blocks: ArrayDeque<String>) {
        val code = content.replace(STRING, "")
        check(!MENTION.containsMatchIn(code)) {
            "$place: cannot read '$content'; write `plugins {` or `dependencies {` on a line of its own"
        }
        code.forEach { char ->
            when (char) {
                '{' -> blocks += content
                '}' -> blocks.removeLastOrNull() ?: error("$place: one } too many")
            }
        }
    }

    private fun pluginAt(place: String, content: String): String = PLUGIN.matchEntire(content)?.groupValues?.get(1)
        ?: error("$place: cannot read '$content' in plugins; write `name` in backquotes or alias(libs.plugins.name)")

    private fun dependencyAt(place: String, content: String, constraint: Boolean): Line {
        val (quoted, plain, notation) =
            DEPENDENCY.matchEntire(content)?.destructured
                ?: error("$place: cannot read '$content' in dependencies; write configuration(libs.name) or (projects.name)")
        return Line(place, quoted + plain, notation, constraint)
    }

    private companion object {
        const val PLUGINS = "plugins {"
        const val DEPENDENCIES = "dependencies {"
        const val CONSTRAINTS = "constraints {"
        val MENTION = Regex("""\b(dependencies|plugins)\b""")
        val STRING = Regex(""""[^"]*"""")
        val PLUGIN = Regex("""(`[a-z-]+`|alias\(libs\.plugins\.[a-z.]+\))( apply false)?""")
        val DEPENDENCY = Regex("""(?:"(\w+)"|(\w+))\((libs\.[\w.]+|projects\.\w+|platform\(libs\.[\w.]+\)|"[^"]+")\)""")
    }
}
