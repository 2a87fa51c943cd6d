plugins {
    `java-library`
    alias(libs.plugins.kotlin.jvm)
}

description = "Small programs that run and are tested; one idea each."

dependencies {
    implementation(projects.runledgerDsl)
    implementation(projects.runledgerCoroutines)
    implementation(projects.runledgerTest)
    implementation(projects.runledgerKtor)
    implementation(projects.runledgerConsole)
    implementation(libs.kotlin.stdlib)
    implementation(libs.hikari)
    implementation(libs.jackson.kotlin)
    implementation(libs.spring.jdbc)
    implementation(libs.spring.context)
    implementation(libs.ktor.server.cio)
    implementation(libs.logback.classic)

    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.kotlin.abi.tools)
}

tasks.test {
    doNotTrackState("the specs about this repository read files all over it")
}
