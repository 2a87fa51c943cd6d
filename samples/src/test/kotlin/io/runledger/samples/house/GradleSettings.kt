package io.runledger.samples.house

import java.util.Properties

private val JVM_ARGS = Regex("""\bjvmArgs\((.*)\)""")

/** The facts about the whole build that the Gradle files state. */
internal fun gradleSettings(properties: Properties, catalog: VersionCatalog, root: GradleScript): Map<String, Setting> {
    fun own(name: String) =
        Setting(properties.getProperty(name) ?: error("gradle.properties: no '$name'; add it"), "gradle.properties, $name")

    fun version(name: String) = Setting(catalog.version(name), "gradle/libs.versions.toml, version $name")

    return mapOf(
        "project group" to own("group"),
        "project version" to own("version"),
        "Java release" to version("java"),
        "Kotlin JVM target" to version("java"),
        "Kotlin JDK release" to version("java"),
        "Kotlin language version" to version("kotlin-language"),
        "Kotlin API version" to version("kotlin-language"),
        "Kotlin compiler" to version("kotlin"),
        "detekt" to version("detekt"),
        "Dokka" to version("dokka"),
        "ktlint" to version("ktlint"),
        "palantir-java-format" to version("palantir"),
        "test JVM arguments" to testJvmArguments(root),
    )
}

private fun testJvmArguments(root: GradleScript): Setting {
    val written =
        JVM_ARGS.findAll(root.text).singleOrNull()?.groupValues?.get(1) ?: error("${root.file}: needs jvmArgs(...) once")
    return Setting(written.split(',').joinToString(" ") { it.trim().removeSurrounding("\"") }, "${root.file}, jvmArgs")
}
