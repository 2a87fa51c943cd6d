plugins {
    `java-platform`
    `maven-publish`
}

description = "One version for all Runledger modules."

dependencies {
    constraints {
        api(projects.runledgerModel)
        api(projects.runledgerDsl)
        api(projects.runledgerPostgres)
        api(projects.runledgerExposed)
        api(projects.runledgerCoroutines)
        api(projects.runledgerTest)
        api(projects.runledgerSpringBootStarter)
        api(projects.runledgerConsole)
        api(projects.runledgerKtor)
        api(projects.runledgerOpentelemetry)
        api(projects.runledgerMicrometer)
    }
}
