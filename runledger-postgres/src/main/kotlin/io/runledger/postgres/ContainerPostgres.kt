package io.runledger.postgres

import io.runledger.postgres.embedded.ServerSettings
import org.testcontainers.postgresql.PostgreSQLContainer
import org.testcontainers.utility.DockerImageName

/** A server in a container, with the settings of the embedded server. */
internal class ContainerPostgres private constructor(private val container: PostgreSQLContainer) : PostgresServer {
    override val host: String = container.host
    override val port: Int = container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT)
    override val user: String = container.username
    override val password: String = container.password
    override val maintenanceDatabase: String = container.databaseName
    override val majorVersion: Int = database(maintenanceDatabase).connect().use { it.metaData.databaseMajorVersion }

    override fun jdbcUrl(database: String): String = "jdbc:postgresql://$host:$port/$database"

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
