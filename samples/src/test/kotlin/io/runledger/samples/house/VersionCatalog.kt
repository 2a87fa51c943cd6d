package io.runledger.samples.house

/** The part of a Gradle version catalog that this repository uses; any other line is an error. */
internal class VersionCatalog(private val file: String, text: String) {
    private val versions = mutableMapOf<String, String>()
    private val libraries = mutableMapOf<String, Library>()
    private val references = mutableSetOf<String>()

    init {
        var section = ""
        text.lines().forEachIndexed { index, line ->
            val content = line.trim()
            val heading = HEADING.matchEntire(content)
            when {
                content.isEmpty() || content.startsWith("#") -> Unit

                heading != null -> section = heading.groupValues[1]

                else -> entry(section, content) ||
                    error("$file:${index + 1}: cannot read '$content' in [$section]; write it as the lines around it")
            }
        }
    }

    /** Version [name], for instance `kotlin-runtime`. */
    fun version(name: String): String = versions[name] ?: error("$file: [versions] has no '$name'; add it")

    /** The names of all versions. */
    val versionNames: Set<String> get() = versions.keys

    /** The names of versions that no library or plugin refers to. */
    val looseVersions: Set<String> get() = versions.keys - references

    /** The accessors (`kotlin.stdlib`) of all libraries. */
    val accessors: Set<String> get() = libraries.keys

    /** The library of `libs.<accessor>`; its version is null if a platform sets it. */
    fun library(accessor: String): Library? = libraries[accessor]

    fun accessorOf(id: String): String? = libraries.entries.find { it.value.id == id }?.key

    private fun entry(section: String, content: String): Boolean = when (section) {
        "versions" -> VERSION.matchEntire(content)?.destructured?.let { (name, value) -> versions.put(name, value) == null }
            ?: false

        "libraries" ->
            LIBRARY.matchEntire(content)?.destructured?.let { (name, id, reference, literal) ->
                libraries.put(name.replace('-', '.'), Library(id, referred(reference) ?: literal.ifEmpty { null })) == null
            } ?: false

        "plugins" -> PLUGIN.matchEntire(content)?.destructured?.let { (reference) -> referred(reference) != null } ?: false

        else -> false
    }

    private fun referred(reference: String): String? = reference.ifEmpty { null }?.also { references += it }?.let(::version)

    internal data class Library(val id: String, val version: String?)

    private companion object {
        val HEADING = Regex("""\[([a-z]+)]""")
        val VERSION = Regex("""([a-z0-9-]+) = "([^"]+)"""")
        val LIBRARY =
            Regex("""([a-z0-9-]+) = \{ module = "([^":]+:[^":]+)"(?:, version\.ref = "([^"]+)"|, version = "([^"]+)")? }""")
        val PLUGIN = Regex("""[a-z0-9-]+ = \{ id = "[^"]+", version\.ref = "([^"]+)" }""")
    }
}
