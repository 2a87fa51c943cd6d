package io.runledger.samples.house

import java.io.StringReader
import java.util.Properties

/** The build as the Gradle files have it. [read] gives a file's text by its path from the repository's root. */
internal class GradleBuild(private val read: (String) -> String) : Build {
    private val properties = Properties().apply { load(StringReader(read("gradle.properties"))) }
    private val catalog = VersionCatalog("gradle/libs.versions.toml", read("gradle/libs.versions.toml"))
    private val names = included("settings.gradle.kts", read("settings.gradle.kts"))
    private val root = script("build.gradle.kts")
    private val scripts = names.associateWith { script("$it/build.gradle.kts") }

    private val embedded = EmbeddedServer(script("runledger-postgres/build.gradle.kts"), catalog)

    override val settings: Map<String, Setting> = gradleSettings(properties, catalog, root) + embedded.settings()

    override val platforms: List<Dependency> =
        root.dependencies.filter { it.notation.startsWith("platform(") }.map { line ->
            val library = library(line, line.notation.removeSurrounding("platform(", ")"))
            Dependency(
                library.id,
                Scope.MANAGED,
                library.version ?: error("${line.place}: a platform needs a version in the catalog"),
            )
        }

    override val pins: List<Dependency> = root.dependencies.filter { it.constraint }.map { dependency(it, Scope.MANAGED) }

    /** The dependencies that every module gets by default, by configuration. */
    val everywhere: List<Pair<String, Dependency>> =
        root.dependencies
            .filterNot { it.constraint || it.notation.startsWith("platform(") }
            .map { it.configuration to dependency(it, scope(it)) }

    override val modules: List<Module> =
        scripts.map { (name, script) ->
            Module(
                name = name,
                file = script.file,
                version = settings.getValue("project version").value,
                published = "`maven-publish`" in script.plugins,
                dependencies = script.dependencies.map { dependency(it, scope(it)) },
            )
        }

    override val sharedFile: String get() = root.file

    /** Libraries and versions of the catalog that no script refers to. */
    val unused: List<String>
        get() {
            val texts = (scripts.values + root).map { it.text }

            fun mentioned(name: String): Boolean {
                val use = Regex("""\blibs\.${Regex.escape(name)}(\.get\(|(?![.\w]))""")
                return texts.any(use::containsMatchIn)
            }

            return catalog.accessors.filterNot(::mentioned) +
                (catalog.looseVersions - embedded.versionNames).filterNot { mentioned("versions.${it.replace('-', '.')}") }
        }

    override fun wording(dependency: Dependency): String {
        val configuration =
            when (dependency.scope) {
                Scope.COMPILE -> "implementation"
                Scope.OPTIONAL -> "compileOnly"
                Scope.RUNTIME -> "runtimeOnly"
                Scope.TEST -> "testImplementation"
                Scope.MANAGED -> "a constraint or platform on "
            }
        val project = names.find { dependency.id == "${properties["group"]}:$it" }?.let { "projects.${camelCase(it)}" }
        val notation = project ?: catalog.accessorOf(dependency.id)?.let { "libs.$it" }
        return notation?.let { "$configuration($it)" }
            ?: "$configuration(libs...), with ${dependency.id} new in gradle/libs.versions.toml,"
    }

    private fun script(file: String) = GradleScript(file, read(file))

    private fun dependency(line: GradleScript.Line, scope: Scope): Dependency {
        val kind = line.notation.substringBefore('.')
        if (kind == "libs") {
            val library = library(line, line.notation)
            val version =
                library.version ?: versionFrom(platforms, library.id)
                    ?: error("${line.place}: ${library.id} has no version, not even by a platform")
            return Dependency(library.id, scope, version)
        }
        if (kind == "projects") {
            val name =
                names.find { camelCase(it) == line.notation.removePrefix("projects.") }
                    ?: error("${line.place}: ${line.notation} is no module of settings.gradle.kts; add include(\"...\") there")
            return Dependency("${properties["group"]}:$name", scope, settings.getValue("project version").value)
        }
        val coordinates = embedded.filled(line).split(':')
        check(coordinates.size == 3) { "${line.place}: write group:artifact:version, or better libs.name" }
        return Dependency("${coordinates[0]}:${coordinates[1]}", scope, coordinates[2])
    }

    private fun library(line: GradleScript.Line, notation: String): VersionCatalog.Library =
        catalog.library(notation.removePrefix("libs."))
            ?: error("${line.place}: gradle/libs.versions.toml has no library for $notation; add it")

    private fun scope(line: GradleScript.Line): Scope = if (line.constraint) {
        Scope.MANAGED
    } else {
        SCOPES[line.configuration]
            ?: error(
                "${line.place}: no Maven scope is like '${line.configuration}'; use one of ${SCOPES.keys.joinToString()}",
            )
    }
}

private val SCOPES =
    mapOf(
        "api" to Scope.COMPILE,
        "implementation" to Scope.COMPILE,
        "compileOnly" to Scope.OPTIONAL,
        "runtimeOnly" to Scope.RUNTIME,
        "testImplementation" to Scope.TEST,
        "testRuntimeOnly" to Scope.TEST,
    )

private val INCLUDE = Regex("""include\("([a-z-]+)"\)""")

private fun included(file: String, text: String): List<String> =
    text.lines().map { it.trim() }.filter { it.startsWith("include") }.map { line ->
        INCLUDE.matchEntire(line)?.groupValues?.get(1)
            ?: error("$file: cannot read '$line'; write include(\"module\"), one to a line")
    }

private fun camelCase(name: String): String = name.replace(WORD) { it.groupValues[1].uppercase() }

private val WORD = Regex("-(.)")
