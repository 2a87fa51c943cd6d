package io.runledger.samples.house

/** The content of a build, in a form in which two builds can be compared. */
internal interface Build {
    /** Facts about the whole: versions of tools, language levels. Both builds use the same names. */
    val settings: Map<String, Setting>

    val modules: List<Module>

    /** Imported bills of materials, with their versions. */
    val platforms: List<Dependency>

    /** Versions of libraries that are only transitive dependencies. */
    val pins: List<Dependency>

    /** The file that holds [platforms] and [pins]. */
    val sharedFile: String

    /** How this build would write [dependency]; a person can paste or follow it. */
    fun wording(dependency: Dependency): String
}

internal enum class Scope { COMPILE, OPTIONAL, RUNTIME, TEST, MANAGED }

/** [id] is `group:artifact`. */
internal data class Dependency(val id: String, val scope: Scope, val version: String)

internal data class Module(
    val name: String,
    val file: String,
    val version: String,
    val published: Boolean,
    val dependencies: List<Dependency>,
)

internal data class Setting(val value: String, val place: String)

/** The version [platforms] give to [id]: that of the bill of materials of the same group or of the group above it. */
internal fun versionFrom(platforms: List<Dependency>, id: String): String? =
    platforms.find { platform -> "${id.substringBefore(':')}.".startsWith("${platform.id.substringBefore(':')}.") }?.version
