plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "Traces that go on from an enqueue to the attempts of its job, as OpenTelemetry spans."

dependencies {
    api(projects.runledgerModel)
    api(projects.runledgerExposed)
    api(projects.runledgerCoroutines)
    api(libs.opentelemetry.api)
    api(libs.kotlin.stdlib)
    api(libs.coroutines.core)
    implementation(libs.slf4j.api)

    testImplementation(projects.runledgerTest)
    testImplementation(projects.runledgerDsl)
    testImplementation(libs.opentelemetry.sdk)
    testImplementation(libs.opentelemetry.sdk.testing)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.logback.classic)
}
