package io.runledger.samples.house

import org.w3c.dom.Element

/** The facts about the whole build that the parent POM states. */
internal fun Pom.settings(): Map<String, Setting> = mapOf(
    "project group" to Setting(groupId, "$file, <groupId>"),
    "project version" to Setting(version, "$file, <version>"),
    "Java release" to fromProperty("maven.compiler.release"),
    "Kotlin JVM target" to fromProperty("kotlin.compiler.jvmTarget"),
    "Kotlin JDK release" to kotlinJdkRelease(),
    "Kotlin language version" to fromProperty("kotlin.compiler.languageVersion"),
    "Kotlin API version" to fromProperty("kotlin.compiler.apiVersion"),
    "Kotlin compiler" to fromPlugin("kotlin-maven-plugin", "version"),
    "detekt" to fromPlugin("detekt-maven-plugin", "version"),
    "Dokka" to fromPlugin("dokka-maven-plugin", "version"),
    "ktlint" to fromPlugin("spotless-maven-plugin", "configuration", "kotlin", "ktlint", "version"),
    "palantir-java-format" to fromPlugin("spotless-maven-plugin", "configuration", "java", "palantirJavaFormat", "version"),
    "test JVM arguments" to fromProperty("test.jvm.args"),
    "embedded PostgreSQL" to fromProperty("pg.version"),
    "embedded PostgreSQL platforms" to platforms(),
) + otherServers()

private fun Pom.fromProperty(name: String) = Setting(property(name), "$file, property $name")

private fun Pom.plugin(name: String): Element =
    at("build", "pluginManagement", "plugins", "plugin").singleOrNull { it.text("artifactId") == name }
        ?: error("$file: <pluginManagement> must list $name once")

private fun Pom.fromPlugin(name: String, vararg path: String): Setting {
    val found = path.fold(listOf(plugin(name))) { elements, step -> elements.flatMap { it.children(step) } }
    val text = found.singleOrNull()?.textContent?.trim() ?: error("$file: $name needs one ${path.joinToString("/")}")
    return Setting(filled(text), "$file, ${path.last()} of $name")
}

private fun Pom.kotlinJdkRelease(): Setting {
    val flag = "-Xjdk-release="
    val arguments =
        plugin("kotlin-maven-plugin").children("configuration").flatMap { it.children("args") }.flatMap { it.children("arg") }
    val argument =
        arguments.map { it.textContent.trim() }.singleOrNull { it.startsWith(flag) }
            ?: error("$file: kotlin-maven-plugin needs $flag")
    return Setting(filled(argument.removePrefix(flag)), "$file, $flag of kotlin-maven-plugin")
}

private fun Pom.profileProperties(name: String): List<Pair<Element, String>> = at("profiles", "profile").mapNotNull { profile ->
    profile.children("properties").firstNotNullOfOrNull { it.text(name) }?.let { profile to it }
}

/** One setting for each server that `-Dpg=<major>` chooses. */
private fun Pom.otherServers(): Map<String, Setting> = profileProperties("pg.version").associate { (profile, version) ->
    val major =
        profile.children("activation").flatMap {
            it.children("property")
        }.singleOrNull { it.text("name") == "pg" }?.text("value")
            ?: error("$file: profile ${profile.text("id")} sets pg.version but is not activated by -Dpg=<major>")
    "embedded PostgreSQL $major" to Setting(version, "$file, profile ${profile.text("id")}")
}

private fun Pom.platforms(): Setting {
    val others = profileProperties("pg.platform").map { (_, platform) -> platform }.sorted()
    return Setting(
        "${property("pg.platform")}, or ${others.joinToString()}",
        "$file, property pg.platform and the profiles that set it",
    )
}
