plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "Schema, statements and the blocking client over Exposed and PostgreSQL."

dependencies {
    api(projects.runledgerModel)
    api(libs.kotlin.stdlib)
    api(libs.exposed.core)
    api(libs.exposed.jdbc)
    implementation(libs.postgresql)
    implementation(libs.hikari)
    implementation(libs.flyway.core)
    runtimeOnly(libs.flyway.postgresql)
    implementation(libs.jackson.databind)
    implementation(libs.jackson.kotlin)
    implementation(libs.cron.utils)
    implementation(libs.slf4j.api)

    testImplementation(projects.runledgerPostgres)
    testImplementation(libs.spring.jdbc)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.kotest.property)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
