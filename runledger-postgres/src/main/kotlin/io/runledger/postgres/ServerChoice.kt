package io.runledger.postgres

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.file.Path

/** Chooses the server from environment variables. */
internal object ServerChoice {
    private const val IMAGE = "RUNLEDGER_TEST_PG_IMAGE"
    private const val DIRECTORY = "RUNLEDGER_TEST_PG_DIR"
    private const val USER = "RUNLEDGER_TEST_PG_USER"

    fun from(environment: Map<String, String>, loader: ClassLoader? = ServerChoice::class.java.classLoader): PostgresServer {
        fun value(name: String) = environment[name]?.trim()?.ifEmpty { null }
        value(ExternalPostgres.VARIABLE)?.let { return ExternalPostgres.connect(it) }
        value(IMAGE)?.let { return container(it, loader) }
        val builder = EmbeddedPostgres.builder()
        value(USER)?.let(builder::serverUser)
        value(DIRECTORY)?.let { builder.cache(Path.of(it)) }
        return builder.start()
    }

    // Looked up by name: Testcontainers is optional, and its absence must give a clear message instead of a linkage error.
    private fun container(image: String, loader: ClassLoader?): PostgresServer {
        try {
            Class.forName("org.testcontainers.postgresql.PostgreSQLContainer", false, loader)
        } catch (absent: ClassNotFoundException) {
            throw PostgresUnavailableException(
                "$IMAGE=$image needs Testcontainers, which is not on the class path. " +
                    "Add org.testcontainers:testcontainers-postgresql, or unset the variable to use an embedded server.",
                absent,
            )
        }
        return try {
            ContainerPostgres.start(image)
        } catch (failure: RuntimeException) {
            throw PostgresUnavailableException(
                "$IMAGE=$image could not be started: ${failure.message}. Is a container engine running and the image " +
                    "reachable? Otherwise set ${ExternalPostgres.VARIABLE}, or unset both to use an embedded server.",
                failure,
            )
        }
    }
}
