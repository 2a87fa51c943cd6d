plugins {
    `java-library`
    `maven-publish`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka.javadoc)
}

description = "What is asked for, what is stored, what can go wrong: plain Java, no I/O."

dependencies {
    api(libs.jspecify)

    testImplementation(libs.kotlin.stdlib)
    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.kotest.property)
    testImplementation(libs.junit.jupiter)
}
