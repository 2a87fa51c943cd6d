package io.runledger.postgres

/**
 * A running PostgreSQL, wherever it came from. [user] may create and drop databases.
 *
 * The embedded one lives in the time zone Asia/Kathmandu, deliberately neither UTC nor a likely zone of the JVM. The JDBC
 * driver gives every session the zone of the JVM, so only other clients meet that of the server.
 * [close] may be called again. It ends a server this JVM started and leaves one that was already there running.
 */
public interface PostgresServer : AutoCloseable {
    public val host: String

    public val port: Int

    public val user: String

    public val password: String

    /** 18 for PostgreSQL 18.6. */
    public val majorVersion: Int

    /** A database that exists from the start and is used for statements such as `CREATE DATABASE`. */
    public val maintenanceDatabase: String

    /** The address of [database] without user and password; the database need not exist. */
    public fun jdbcUrl(database: String): String

    /** How to reach [name]; the database need not exist. */
    public fun database(name: String): PostgresDatabase = PostgresDatabase(this, name)

    override fun close()
}
