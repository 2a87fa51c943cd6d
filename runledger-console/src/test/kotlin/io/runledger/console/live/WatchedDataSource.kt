package io.runledger.console.live

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.SQLNonTransientConnectionException
import java.sql.Statement
import java.util.concurrent.ConcurrentLinkedQueue
import javax.sql.DataSource

/** Remembers the statements that are sent through it. While [isLost], it gives no connection, as if the server were gone. */
class WatchedDataSource(real: DataSource) {
    private val statements = ConcurrentLinkedQueue<String>()

    @Volatile
    var isLost: Boolean = false

    val dataSource: DataSource = wrap(real, DataSource::class.java)
    val sent: List<String> get() = statements.toList()

    private fun <T : Any> wrap(target: T, type: Class<T>): T = type.cast(
        Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, arguments ->
            if (target is Statement && method.name.startsWith("execute")) statements += target.toString()
            if (target is DataSource && isLost) throw SQLNonTransientConnectionException("The server is gone.", "08001")
            val result = try {
                method.invoke(target, *(arguments ?: emptyArray()))
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            when (result) {
                is Connection -> wrap(result, Connection::class.java)
                is PreparedStatement -> wrap(result, PreparedStatement::class.java)
                is Statement -> wrap(result, Statement::class.java)
                else -> result
            }
        },
    )
}
