plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
    alias(libs.plugins.detekt)
}

description = "workflow { job, after, externalGate }: builder syntax over the model."

dependencies {
    api(projects.runledgerModel)
    api(libs.kotlin.stdlib)

    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
}
