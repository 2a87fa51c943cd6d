// Gradle 8.10 or newer on JDK 17 or newer; nothing outside Maven Central is needed. The Maven build describes the same modules,
// and BuildsAgreeSpec in samples fails as soon as the two say different things.
pluginManagement {
    repositories {
        mavenCentral()
    }
}

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        mavenCentral()
    }
}

rootProject.name = "runledger"

enableFeaturePreview("TYPESAFE_PROJECT_ACCESSORS")

include("runledger-bom")
include("runledger-model")
include("runledger-dsl")
include("runledger-postgres")
include("runledger-exposed")
include("runledger-coroutines")
include("runledger-test")
include("runledger-console")
include("runledger-ktor")
include("runledger-opentelemetry")
include("runledger-micrometer")
include("runledger-spring-boot-starter")
include("samples")
include("benchmarks")
