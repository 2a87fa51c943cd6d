package io.runledger.samples.house

/** All differences of [maven] and [gradle], each with the file and the correction. Empty if they agree. */
internal fun disagreements(maven: Build, gradle: Build): List<String> {
    val words = DependencyDisagreements(maven, gradle)
    return settings(maven, gradle) +
        modules(maven, gradle) +
        words.between(maven.sharedFile, maven.platforms, gradle.sharedFile, gradle.platforms) +
        words.between(maven.sharedFile, maven.pins, gradle.sharedFile, gradle.pins) +
        pairs(maven, gradle).flatMap { (one, other) ->
            words.between(one.file, one.dependencies, other.file, other.dependencies)
        } +
        unlisted(maven) +
        unlisted(gradle)
}

private fun settings(maven: Build, gradle: Build): List<String> =
    (maven.settings.keys + gradle.settings.keys).mapNotNull { name ->
        val one = maven.settings[name]
        val other = gradle.settings[name]
        when {
            other == null -> "$name: ${one?.place} says ${one?.value}, the Gradle files say nothing. Add it there."

            one == null -> "$name: ${other.place} says ${other.value}, the POMs say nothing. Add it there or remove it."

            one.value != other.value ->
                "$name: ${one.place} says ${one.value}, ${other.place} says ${other.value}. Make them the same."

            else -> null
        }
    }

private fun modules(maven: Build, gradle: Build): List<String> {
    val inMaven = maven.modules.map { it.name }
    val inGradle = gradle.modules.map { it.name }
    return (inMaven - inGradle).map { "module $it: pom.xml has it, settings.gradle.kts has not. Add include(\"$it\")." } +
        (inGradle - inMaven).map { "module $it: settings.gradle.kts has it, pom.xml has not. Add <module>$it</module>." } +
        pairs(maven, gradle).flatMap { (one, other) -> listOfNotNull(version(one, other), publication(one, other)) }
}

private fun pairs(maven: Build, gradle: Build): List<Pair<Module, Module>> =
    maven.modules.mapNotNull { one -> gradle.modules.find { it.name == one.name }?.let { one to it } }

private fun version(maven: Module, gradle: Module): String? =
    "${maven.file} says version ${maven.version}, gradle.properties says ${gradle.version}. Make them the same."
        .takeIf { maven.version != gradle.version }

private fun publication(maven: Module, gradle: Module): String? {
    if (maven.published == gradle.published) return null
    val (publishes, keeps) = if (maven.published) maven to gradle else gradle to maven
    return "${publishes.file} publishes the module, ${keeps.file} does not. " +
        "Agree by maven.deploy.skip in ${maven.file} and `maven-publish` in ${gradle.file}."
}

/** A bill of materials lists all published modules, and no others. */
private fun unlisted(build: Build): List<String> {
    val bom = build.modules.find { it.name == BOM } ?: return listOf("module $BOM is missing beside ${build.sharedFile}. Add it.")
    val published = build.modules.filter { it.published && it.name != BOM }.map { it.name }
    val listed = bom.dependencies.map { it.id.substringAfter(':') }
    return (published - listed).map { "${bom.file} does not list $it, which is published. Add it." } +
        (listed - published).map { "${bom.file} lists $it, which is not published. Remove it, or publish the module." }
}

private const val BOM = "runledger-bom"
