package io.runledger.samples.house

/** How the Gradle script chooses the embedded PostgreSQL: the catalog's `pg` and `pg<major>`, and a platform for each machine. */
internal class EmbeddedServer(private val script: GradleScript, private val catalog: VersionCatalog) {
    private val platform: String =
        ELSE.find(script.text)?.groupValues?.get(1) ?: error("${script.file}: pgPlatform needs else -> \"platform\"")

    private val otherPlatforms: List<String> = BRANCH.findAll(script.text).map {
        it.groupValues[1]
    }.filter { it != platform }.toList()

    /** The catalog's names for servers. */
    val versionNames: Set<String> = catalog.versionNames.filter(SERVER::matches).toSet()

    fun settings(): Map<String, Setting> = versionNames.associate { name ->
        "embedded PostgreSQL ${name.removePrefix("pg")}".trim() to
            Setting(catalog.version(name), "gradle/libs.versions.toml, version $name")
    } +
        (
            "embedded PostgreSQL platforms" to
                Setting("$platform, or ${otherPlatforms.sorted().joinToString()}", "${script.file}, pgPlatform")
            )

    /** The coordinates in [line] for the default server. */
    fun filled(line: GradleScript.Line): String {
        val filled =
            line.notation.removeSurrounding("\"").replace("\$pgPlatform", platform).replace("\$pgVersion", catalog.version("pg"))
        check('$' !in filled) { "${line.place}: only \$pgPlatform and \$pgVersion are understood in ${line.notation}" }
        return filled
    }

    private companion object {
        val SERVER = Regex("""pg\d*""")
        val BRANCH = Regex("""-> "([a-z0-9-]+)"""")
        val ELSE = Regex("""else -> "([a-z0-9-]+)"""")
    }
}
