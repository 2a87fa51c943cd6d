package io.runledger.exposed.signal

import com.zaxxer.hikari.HikariDataSource
import org.postgresql.Driver
import org.postgresql.PGConnection
import org.postgresql.PGProperty
import org.postgresql.ds.PGSimpleDataSource
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.sql.SQLException
import java.util.Properties
import javax.sql.DataSource

/**
 * Replaces the listener's connection by one with a [PromptSocketFactory], if the settings of [dataSource] are known completely:
 * it is a HikariCP pool over the address of a PostgreSQL server, or the driver's own simple data source. A subclass may connect
 * in another way, so it does not count. Neither does a data source with a socket factory of its own.
 */
internal class PromptConnections(private val dataSource: DataSource) {
    private var hasFailed = false

    /**
     * Runs [work] on a connection in place of [given], or on [given] itself if there is none. The session of [given] is closed
     * first, and its place in the pool stays taken, so the process has no more sessions than its pools allow.
     */
    fun <T> insteadOf(given: Connection, work: (Connection) -> T): T {
        val prompt = open() ?: return work(given)
        return prompt.use {
            (given.unwrap(PGConnection::class.java) as Connection).close()
            try {
                work(prompt)
            } finally {
                (dataSource as? HikariDataSource)?.evictConnection(given)
            }
        }
    }

    /** A refused connection is not tried again: the service may authenticate in a way that is not known here. */
    @Suppress("TooGenericExceptionCaught")
    private fun open(): Connection? {
        if (hasFailed) return null
        return try {
            connect()
        } catch (failure: Exception) {
            hasFailed = true
            log.debug("The listener uses a connection of the data source as it is.", failure)
            null
        }
    }

    private fun connect(): Connection? = when (dataSource.javaClass) {
        HikariDataSource::class.java -> connect(dataSource as HikariDataSource)
        PGSimpleDataSource::class.java -> connect(dataSource as PGSimpleDataSource)
        else -> null
    }

    private fun connect(pool: HikariDataSource): Connection? {
        val isKnown = pool.dataSource == null && pool.dataSourceClassName == null && pool.dataSourceJNDI == null
        val url = pool.jdbcUrl?.takeIf { isKnown && it.startsWith(PREFIX) } ?: return null
        if (pool.driverClassName != null && pool.driverClassName != Driver::class.java.name) return null
        val properties = Properties().apply { putAll(pool.dataSourceProperties) }
        val credentials = pool.credentialsProvider?.credentials ?: pool.credentials
        return connect(url, properties, credentials.username, credentials.password)
    }

    private fun connect(simple: PGSimpleDataSource): Connection? =
        connect(simple.getURL(), Properties(), simple.user, simple.password)

    private fun connect(url: String, properties: Properties, user: String?, password: String?): Connection? {
        if (user != null) PGProperty.USER.set(properties, user)
        if (password != null) PGProperty.PASSWORD.set(properties, password)
        val all = Driver.parseURL(url, properties) ?: return null
        if (PGProperty.SOCKET_FACTORY.getOrDefault(all) != null) return null
        PGProperty.SOCKET_FACTORY.set(properties, PromptSocketFactory::class.java.name)
        return Driver().connect(url, properties)
    }

    private companion object {
        const val PREFIX = "jdbc:postgresql:"
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
