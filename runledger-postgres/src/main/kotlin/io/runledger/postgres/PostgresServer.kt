package io.runledger.postgres

/**
 * A running PostgreSQL server: embedded, external or in a container. [user] may create and drop databases.
 *
 * The time zone of the embedded server is Asia/Kathmandu, deliberately neither UTC nor a likely zone of the JVM. The JDBC
 * driver sets the zone of the JVM in every session, so only other clients see the server's zone. [close] stops a server that
 * this JVM started. An external server keeps running. A repeated call has no effect.
 */
public abstract class PostgresServer(
    @get:JvmName("host") public val host: String,
    @get:JvmName("port") public val port: Int,
    @get:JvmName("user") public val user: String,
    @get:JvmName("password") public val password: String,
    /** An existing database, used for statements such as `CREATE DATABASE`. */
    @get:JvmName("maintenanceDatabase") public val maintenanceDatabase: String,
) : AutoCloseable {
    /** The major version, for example 18 for PostgreSQL 18.6. */
    @get:JvmName("majorVersion")
    public val majorVersion: Int by lazy { readMajorVersion() }

    /** Reads [majorVersion], by default from a new session. Called once. */
    protected open fun readMajorVersion(): Int = database(maintenanceDatabase).connect().use { it.metaData.databaseMajorVersion }

    /** The JDBC URL of [database] without user and password. The database need not exist. */
    public open fun jdbcUrl(database: String): String = "jdbc:postgresql://$host:$port/$database"

    /** The database [name] of this server. The database need not exist. */
    public fun database(name: String): PostgresDatabase = PostgresDatabase(this, name)

    abstract override fun close()
}
