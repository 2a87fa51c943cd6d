plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "A Ktor plugin: a ledger and its worker start and stop with the application."

dependencies {
    api(projects.runledgerDsl)
    api(projects.runledgerExposed)
    api(projects.runledgerCoroutines)
    api(libs.ktor.server.core)
    api(libs.kotlin.stdlib)
    implementation(libs.coroutines.core)
    compileOnly(projects.runledgerConsole)

    testImplementation(projects.runledgerTest)
    testImplementation(libs.ktor.server.cio)
    testImplementation(projects.runledgerMicrometer)
    testImplementation(projects.runledgerOpentelemetry)
    testImplementation(libs.opentelemetry.sdk.testing)
    testImplementation(libs.hikari)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.logback.classic)
}
