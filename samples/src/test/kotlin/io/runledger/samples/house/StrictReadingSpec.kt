package io.runledger.samples.house

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.string.shouldContain

/** A line that the reader does not understand could hide a difference, so it is refused. */
class StrictReadingSpec :
    FunSpec({
        unreadable.forEach { altered ->
            test("${altered.name} is refused with its place") {
                val refusal = shouldThrow<IllegalStateException> {
                    disagreements(MavenBuild(altered::read), GradleBuild(altered::read))
                }

                refusal.message.orEmpty() shouldContain altered.message
            }
        }
    })

private val unreadable = listOf(
    Alteration(
        "an unknown form of dependency",
        "samples/build.gradle.kts",
        "dependencies {\n",
        "dependencies {\n    api(kotlin(\"test\"))\n",
        "cannot read 'api(kotlin(\"test\"))' in dependencies",
    ),
    Alteration(
        "an unknown configuration",
        "samples/build.gradle.kts",
        "dependencies {\n",
        "dependencies {\n    kapt(libs.xz)\n",
        "no Maven scope is like 'kapt'",
    ),
    Alteration(
        "a block on one line",
        "samples/build.gradle.kts",
        "dependencies {\n",
        "dependencies { api(libs.xz) }\ndependencies {\n",
        "on a line of its own",
    ),
    Alteration(
        "a dependency added by a call",
        "samples/build.gradle.kts",
        "\ndependencies {",
        "\ndependencies.add(\"api\", libs.xz)\ndependencies {",
        "cannot read",
    ),
    Alteration(
        "a library the catalog lacks",
        "samples/build.gradle.kts",
        "dependencies {\n",
        "dependencies {\n    api(libs.nobody)\n",
        "has no library for libs.nobody",
    ),
    Alteration(
        "an unknown line in the catalog",
        "gradle/libs.versions.toml",
        "[libraries]\n",
        "[libraries]\nxy = \"a:b:1\"\n",
        "cannot read 'xy = \"a:b:1\"' in [libraries]",
    ),
    Alteration(
        "several modules in one include",
        "settings.gradle.kts",
        "include(\"samples\")",
        "include(\"samples\", \"more\")",
        "settings.gradle.kts: cannot read",
    ),
    Alteration(
        "an exclusion in a POM",
        "runledger-dsl/pom.xml",
        "</artifactId>\n    </dependency>",
        "</artifactId><exclusions/>\n    </dependency>",
        "uses <exclusions>",
    ),
    Alteration(
        "a scope without a counterpart",
        "runledger-exposed/pom.xml",
        "<scope>runtime</scope>",
        "<scope>system</scope>",
        "has scope 'system'",
    ),
    Alteration(
        "a property nobody defines",
        "pom.xml",
        "\${hikari.version}",
        "\${hikari.verison}",
        "nobody defines \${hikari.verison}",
    ),
    Alteration(
        "a module missing in Gradle that others use",
        "settings.gradle.kts",
        "include(\"runledger-dsl\")\n",
        "",
        "add include(\"...\") there",
    ),
)
