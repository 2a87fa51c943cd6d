plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "Handlers and workers as structured concurrency."

dependencies {
    api(projects.runledgerModel)
    api(projects.runledgerExposed)
    api(libs.kotlin.stdlib)
    api(libs.coroutines.core)
    implementation(libs.slf4j.api)

    testImplementation(projects.runledgerPostgres)
    testImplementation(libs.hikari)
    testImplementation(libs.coroutines.test)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
