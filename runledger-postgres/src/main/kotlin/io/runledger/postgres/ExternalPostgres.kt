package io.runledger.postgres

import io.runledger.postgres.error.PostgresUnavailableException
import org.postgresql.Driver
import java.net.URI
import java.net.URLDecoder
import java.net.URLEncoder
import java.sql.Connection
import java.sql.SQLException
import java.util.Properties
import kotlin.text.Charsets.UTF_8

/** An external server. One session stays open and holds the owner lock of the databases created here. */
internal class ExternalPostgres private constructor(private val address: Properties) :
    PostgresServer(
        address.getProperty("PGHOST"),
        address.getProperty("PGPORT").toInt(),
        address.getProperty("user", System.getProperty("user.name")),
        address.getProperty("password", ""),
        address.getProperty("PGDBNAME", "postgres"),
    ) {
    private val session: Connection = openSession()
    val owner: Int = DatabaseOwner.enrol(session)

    override fun jdbcUrl(database: String): String {
        val options = address.stringPropertyNames().filterNot { it in ownParameters }.sorted()
        val query = options.joinToString("&") { "$it=${URLEncoder.encode(address.getProperty(it), UTF_8)}" }
        return "jdbc:postgresql://$host:$port/${URLEncoder.encode(database, UTF_8)}" + if (query.isEmpty()) "" else "?$query"
    }

    override fun close() = session.close()

    private fun openSession(): Connection {
        val opened = try {
            database(maintenanceDatabase).connect()
        } catch (refused: SQLException) {
            throw PostgresUnavailableException(
                "$VARIABLE names a server at $host:$port that refuses user '$user': ${refused.message}. " +
                    "Correct the address, or unset the variable to use an embedded server.",
                refused,
            )
        }
        if (opened.textOf("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user") == "t") return opened
        opened.close()
        throw PostgresUnavailableException(
            "$VARIABLE: role '$user' at $host:$port may not create databases, and every test needs one. " +
                "Run as a superuser: ALTER ROLE \"$user\" CREATEDB",
        )
    }

    companion object {
        const val VARIABLE = "RUNLEDGER_TEST_DATABASE_URL"
        private val ownParameters = setOf("PGHOST", "PGPORT", "PGDBNAME", "user", "password")

        fun connect(url: String): ExternalPostgres = ExternalPostgres(parse(url)).also { DatabaseOwner.sweep(it.session) }

        private fun parse(url: String): Properties {
            val jdbc = if (url.startsWith("jdbc:")) url else runCatching { jdbcForm(URI(url)) }.getOrNull()
            val address = jdbc?.takeIf { it.startsWith("jdbc:postgresql:") }?.let { Driver.parseURL(it, Properties()) }
            // The message omits the value, because it may contain a password.
            if (address == null || address.getProperty("PGPORT")?.toIntOrNull() == null) {
                throw PostgresUnavailableException(
                    "$VARIABLE is not the address of one PostgreSQL server. Use postgresql://me:secret@host:5432/postgres " +
                        "or jdbc:postgresql://host:5432/postgres?user=me&password=secret",
                )
            }
            return address
        }

        private fun jdbcForm(uri: URI): String? {
            if (uri.scheme !in setOf("postgresql", "postgres") || uri.host == null) return null
            val credentials = uri.rawUserInfo.orEmpty().split(":", limit = 2).map {
                URLDecoder.decode(it.replace("+", "%2B"), UTF_8)
            }
            val parameters = listOfNotNull(
                credentials[0].ifEmpty { null }?.let { "user=" + URLEncoder.encode(it, UTF_8) },
                credentials.getOrNull(1)?.let { "password=" + URLEncoder.encode(it, UTF_8) },
                uri.rawQuery,
            )
            val port = if (uri.port < 0) 5432 else uri.port
            val database = uri.rawPath.orEmpty().removePrefix("/").ifEmpty { "postgres" }
            return "jdbc:postgresql://${uri.host}:$port/$database?" + parameters.joinToString("&")
        }
    }
}
