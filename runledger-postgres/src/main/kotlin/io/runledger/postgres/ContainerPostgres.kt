package io.runledger.postgres

import io.runledger.postgres.embedded.ServerSettings
import org.testcontainers.postgresql.PostgreSQLContainer
import org.testcontainers.utility.DockerImageName

/** A server in a container, with the settings of the embedded server. */
internal class ContainerPostgres private constructor(private val container: PostgreSQLContainer) :
    PostgresServer(
        container.host,
        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        container.username,
        container.password,
        container.databaseName,
    ) {
    override fun close() = container.stop()

    companion object {
        fun start(image: String): PostgresServer {
            val settings = ServerSettings.shared(durable = false, statements = true)
            val container = PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
            container.setCommand("postgres", *settings.flatMap { (name, value) -> listOf("-c", "$name=$value") }.toTypedArray())
            container.start()
            return ContainerPostgres(container)
        }
    }
}
