package io.runledger.postgres

/**
 * A running PostgreSQL server: embedded, external or in a container. [user] may create and drop databases.
 *
 * The time zone of the embedded server is Asia/Kathmandu, deliberately neither UTC nor a likely zone of the JVM. The JDBC
 * driver sets the zone of the JVM in every session, so only other clients see the server's zone. [close] stops a server that
 * this JVM started. An external server keeps running. A repeated call has no effect.
 */
public interface PostgresServer : AutoCloseable {
    public val host: String

    public val port: Int

    public val user: String

    public val password: String

    /** The major version, for example 18 for PostgreSQL 18.6. */
    public val majorVersion: Int

    /** An existing database, used for statements such as `CREATE DATABASE`. */
    public val maintenanceDatabase: String

    /** The JDBC URL of [database] without user and password. The database need not exist. */
    public fun jdbcUrl(database: String): String

    /** The database [name] of this server. The database need not exist. */
    public fun database(name: String): PostgresDatabase = PostgresDatabase(this, name)

    override fun close()
}
