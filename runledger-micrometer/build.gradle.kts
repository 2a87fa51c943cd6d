plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "Meters of workers and gauges of the whole fleet for Micrometer, with a Grafana dashboard and Prometheus alert rules."

dependencies {
    api(projects.runledgerModel)
    api(projects.runledgerExposed)
    api(projects.runledgerCoroutines)
    api(libs.micrometer.core)
    api(libs.kotlin.stdlib)
    implementation(libs.slf4j.api)

    testImplementation(projects.runledgerTest)
    testImplementation(libs.micrometer.prometheus)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
