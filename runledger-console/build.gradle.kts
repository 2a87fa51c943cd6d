plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "A console in the browser for a ledger: jobs, runs, schedules and workers, and the actions of operators."

dependencies {
    api(projects.runledgerModel)
    api(projects.runledgerExposed)
    api(libs.kotlin.stdlib)
    implementation(libs.kotlinx.html)
    implementation(libs.elk.layered)
    runtimeOnly(libs.xbase)
    implementation(libs.guava)
    implementation(libs.jackson.databind)
    implementation(libs.hikari)
    implementation(libs.slf4j.api)
    runtimeOnly(libs.htmx)
    compileOnly(libs.servlet.api)
    compileOnly(libs.logback.classic)

    testImplementation(projects.runledgerTest)
    testImplementation(libs.playwright)
    testImplementation(libs.axe)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
}
