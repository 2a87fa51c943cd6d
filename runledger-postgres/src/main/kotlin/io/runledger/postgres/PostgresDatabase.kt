package io.runledger.postgres

import org.postgresql.ds.PGSimpleDataSource
import java.sql.Connection
import java.sql.SQLException
import javax.sql.DataSource

/** One database of a [server]. Holds no connection. */
public open class PostgresDatabase internal constructor(
    @get:JvmName("server") public val server: PostgresServer,
    @get:JvmName("name") public val name: String,
) {
    @get:JvmName("jdbcUrl")
    public val jdbcUrl: String get() = server.jdbcUrl(name)

    @get:JvmName("user")
    public val user: String get() = server.user

    @get:JvmName("password")
    public val password: String get() = server.password

    /** A data source without a pool: each request opens a new connection. */
    public fun dataSource(): DataSource = PGSimpleDataSource().also {
        it.setURL(jdbcUrl)
        it.user = user
        it.password = password
    }

    /** Opens a connection in auto-commit mode; the caller closes it. */
    @Throws(SQLException::class)
    public fun connect(): Connection = dataSource().connection

    override fun toString(): String = jdbcUrl
}
