plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "The test kit: a fresh ledger on a real PostgreSQL in one call, handlers run to the end of the work, time that moves on demand."

dependencies {
    api(projects.runledgerExposed)
    api(projects.runledgerCoroutines)
    api(projects.runledgerPostgres)
    implementation(libs.hikari)
    api(libs.kotlin.stdlib)
    compileOnly(libs.junit.jupiter.api)
    compileOnly(libs.kotest.runner)

    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
