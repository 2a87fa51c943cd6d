plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "Client, worker and handlers as beans of a Spring Boot application, and jobs in its transactions."

// Spring's test support calls JUnit 6.
configurations.configureEach {
    resolutionStrategy.eachDependency {
        if (requested.group.startsWith("org.junit")) useVersion(libs.versions.boot.junit.get())
    }
}

dependencies {
    api(projects.runledgerModel)
    api(projects.runledgerExposed)
    api(projects.runledgerCoroutines)
    api(libs.kotlin.stdlib)
    api(libs.boot.starter.jdbc)
    compileOnly(libs.boot.health)
    compileOnly(libs.boot.actuator)
    compileOnly(projects.runledgerMicrometer)
    compileOnly(projects.runledgerOpentelemetry)
    compileOnly(projects.runledgerConsole)
    compileOnly(libs.servlet.api)
    compileOnly(projects.runledgerTest)
    compileOnly(libs.boot.test)
    compileOnly(libs.spring.test)
    compileOnly(libs.junit.jupiter.api)

    testImplementation(libs.boot.metrics)
    testImplementation(libs.opentelemetry.sdk.testing)
    testImplementation(libs.boot.flyway)
    testImplementation(libs.boot.hibernate)
    testImplementation(libs.boot.starter.webmvc)
    testImplementation(libs.boot.starter.security)
    testImplementation(libs.boot.devtools)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
}
