plugins {
    `java-library`
    alias(libs.plugins.kotlin.jvm)
}

description = "Runledger and what a user would pick instead, measured side by side."

dependencies {
    implementation(projects.runledgerDsl)
    implementation(projects.runledgerCoroutines)
    implementation(projects.runledgerPostgres)
    implementation(projects.runledgerMicrometer)
    implementation(projects.runledgerConsole)
    implementation(libs.micrometer.prometheus)
    implementation(libs.kotlin.stdlib)
    implementation(libs.hikari)
    implementation(libs.db.scheduler)
    implementation(libs.jobrunr)
    implementation(libs.quartz)
    implementation(libs.dbos)
    implementation(libs.logback.classic)

    testImplementation(libs.kotest.runner)
    testImplementation(libs.kotest.assertions)
    testImplementation(libs.junit.jupiter)
}
