package io.runledger.samples.house

/** Finds where a POM and a Gradle script list different dependencies, and says it in the words of [maven] and [gradle]. */
internal class DependencyDisagreements(private val maven: Build, private val gradle: Build) {
    fun between(pom: String, inPom: List<Dependency>, script: String, inScript: List<Dependency>): List<String> =
        repeated(pom, inPom) +
            repeated(script, inScript) +
            (inPom lacking inScript).map { "$pom has ${it.words()}, $script has not. ${remedy(gradle, it, script, pom)}" } +
            (inScript lacking inPom).map { "$script has ${it.words()}, $pom has not. ${remedy(maven, it, pom, script)}" } +
            inPom.flatMap { one ->
                inScript.filter { it.id == one.id }.mapNotNull { other -> difference(pom, one, script, other) }
            }

    private fun remedy(build: Build, dependency: Dependency, to: String, from: String) =
        "Add ${build.wording(dependency)} to $to, or remove it from $from."

    private fun difference(pom: String, one: Dependency, script: String, other: Dependency): String? {
        val what = "$pom has ${one.words()}, $script has ${other.words()}."
        return when {
            one.scope != other.scope -> "$what Write ${gradle.wording(one)} in $script, or ${maven.wording(other)} in $pom."
            one.version != other.version -> "$what Make pom.xml and gradle/libs.versions.toml name the same version."
            else -> null
        }
    }

    private fun repeated(file: String, dependencies: List<Dependency>): List<String> =
        dependencies.groupBy { it.id }.filterValues { it.size > 1 }.keys.map { "$file lists $it more than once. Keep one." }
}

private infix fun List<Dependency>.lacking(others: List<Dependency>) = filter { one -> others.none { it.id == one.id } }

private fun Dependency.words() = "$id:$version (${scope.name.lowercase()})"
