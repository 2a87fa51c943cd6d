package io.runledger.samples.house

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty

/** Altered copies of the real files: each difference is found and named with its file. */
class DisagreementsSpec :
    FunSpec({
        differences.forEach { altered ->
            test("${altered.name} is named") {
                val found = disagreements(MavenBuild(altered::read), GradleBuild(altered::read))

                withClue(found.joinToString("\n")) { found.filter { altered.message in it }.shouldNotBeEmpty() }
            }
        }
    })

private val differences = listOf(
    Alteration(
        "a dependency dropped from Gradle",
        "runledger-dsl/build.gradle.kts",
        "    api(libs.kotlin.stdlib)\n",
        "",
        "runledger-dsl/build.gradle.kts has not. Add implementation(libs.kotlin.stdlib) to",
    ),
    Alteration(
        "a dependency only Gradle has",
        "runledger-dsl/build.gradle.kts",
        "dependencies {\n",
        "dependencies {\n    api(libs.hikari)\n",
        "runledger-dsl/pom.xml has not",
    ),
    Alteration(
        "a dependency listed twice",
        "samples/build.gradle.kts",
        "dependencies {\n",
        "dependencies {\n    api(libs.logback.classic)\n",
        "more than once",
    ),
    Alteration(
        "a project dependency dropped from Gradle",
        "runledger-dsl/build.gradle.kts",
        "    api(projects.runledgerModel)\n",
        "",
        "Add implementation(projects.runledgerModel)",
    ),
    Alteration(
        "another scope in Gradle",
        "runledger-exposed/build.gradle.kts",
        "runtimeOnly(",
        "implementation(",
        "(runtime), runledger-exposed/build.gradle.kts has",
    ),
    Alteration(
        "an optional dependency that Gradle passes on",
        "runledger-test/build.gradle.kts",
        "compileOnly(",
        "implementation(",
        "(optional), runledger-test/build.gradle.kts has",
    ),
    Alteration(
        "another scope in Maven",
        "runledger-exposed/pom.xml",
        "<scope>runtime</scope>",
        "<scope>test</scope>",
        "(test), runledger-exposed/build.gradle.kts has",
    ),
    Alteration(
        "another version in the catalog",
        "gradle/libs.versions.toml",
        "exposed = \"",
        "exposed = \"9",
        "org.jetbrains.exposed:exposed-core:9",
    ),
    Alteration(
        "another version in Maven",
        "pom.xml",
        "<hikari.version>",
        "<hikari.version>9",
        "com.zaxxer:HikariCP:9",
    ),
    Alteration(
        "another version of a platform",
        "pom.xml",
        "<junit.version>",
        "<junit.version>9",
        "org.junit:junit-bom:9",
    ),
    Alteration(
        "a pin that only Maven has",
        "build.gradle.kts",
        "                \"pins\"(libs.pin.commons.io)\n",
        "",
        "commons-io:commons-io",
    ),
    Alteration(
        "a module missing in Gradle",
        "settings.gradle.kts",
        "include(\"samples\")\n",
        "",
        "Add include(\"samples\")",
    ),
    Alteration(
        "a module missing in Maven",
        "pom.xml",
        "<module>samples</module>",
        "",
        "Add <module>samples</module>",
    ),
    Alteration(
        "a module left out of Maven's bill of materials",
        "runledger-bom/pom.xml",
        "<artifactId>runledger-dsl</artifactId>",
        "<artifactId>dsl</artifactId>",
        "does not list runledger-dsl",
    ),
    Alteration(
        "a module left out of Gradle's bill of materials",
        "runledger-bom/build.gradle.kts",
        "        api(projects.runledgerDsl)\n",
        "",
        "build.gradle.kts does not list runledger-dsl",
    ),
    Alteration(
        "a sample in the bill of materials",
        "runledger-bom/build.gradle.kts",
        "api(projects.runledgerDsl)",
        "api(projects.samples)",
        "lists samples, which is not published",
    ),
    Alteration(
        "a module that only Maven publishes",
        "runledger-dsl/build.gradle.kts",
        "    `maven-publish`\n",
        "",
        "runledger-dsl/pom.xml publishes the module",
    ),
    Alteration(
        "another project version",
        "gradle.properties",
        "version=",
        "version=9",
        "project version: pom.xml, <version> says",
    ),
    Alteration(
        "another version in one POM",
        "runledger-bom/pom.xml",
        "<version>",
        "<version>9",
        "runledger-bom/pom.xml says version 9",
    ),
    Alteration(
        "another Java release",
        "pom.xml",
        "<maven.compiler.release>",
        "<maven.compiler.release>9",
        "Java release: pom.xml, property maven.compiler.release says 9",
    ),
    Alteration(
        "another Kotlin compiler",
        "gradle/libs.versions.toml",
        "\nkotlin = \"",
        "\nkotlin = \"9",
        "Kotlin compiler: pom.xml",
    ),
    Alteration(
        "another Kotlin language version",
        "pom.xml",
        "<kotlin.compiler.languageVersion>",
        "<kotlin.compiler.languageVersion>9",
        "Kotlin language version",
    ),
    Alteration(
        "another embedded server",
        "gradle/libs.versions.toml",
        "\npg15 = \"",
        "\npg15 = \"9",
        "embedded PostgreSQL 15",
    ),
    Alteration(
        "a server that Gradle cannot choose",
        "gradle/libs.versions.toml",
        "\npg16 = ",
        "\npg19 = ",
        "embedded PostgreSQL 16",
    ),
    Alteration(
        "a platform that only Maven knows",
        "runledger-postgres/build.gradle.kts",
        "\"darwin-amd64\"",
        "\"darwin-arm64v8\"",
        "embedded PostgreSQL platforms",
    ),
    Alteration(
        "another time zone for the tests",
        "build.gradle.kts",
        "Pacific/Chatham",
        "UTC",
        "test JVM arguments",
    ),
)
