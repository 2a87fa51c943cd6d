package io.runledger.exposed.claim

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.SQLNonTransientConnectionException
import javax.sql.DataSource

internal enum class Moment { CLAIMED, COMMITTED, ENQUEUED }

/**
 * Connections that break, if [fate] decides so, after the server has claimed, committed or enqueued a leased job, and before the
 * client has the answer.
 */
internal class BreakingDataSource(real: DataSource, private val fate: (Moment) -> Boolean) {
    val dataSource: DataSource = proxy(DataSource::class.java, real) { name, _, result ->
        if (name == "getConnection") connection(result as Connection) else result
    }

    private fun connection(real: Connection): Connection = proxy(Connection::class.java, real) { name, arguments, result ->
        when (name) {
            "prepareStatement" -> statement(real, result as PreparedStatement, arguments.first() as String)
            "commit" -> result.also { meet(Moment.COMMITTED, real) }
            else -> result
        }
    }

    private fun statement(connection: Connection, real: PreparedStatement, sql: String): PreparedStatement =
        proxy(PreparedStatement::class.java, real) { name, _, result ->
            if (name.startsWith("execute") && "SET status = 'LEASED'" in sql) meet(Moment.CLAIMED, connection)
            if (name.startsWith("execute") && "AS lease_seconds\n    FROM definition" in sql) meet(Moment.ENQUEUED, connection)
            result
        }

    private fun meet(moment: Moment, connection: Connection) {
        if (!fate(moment)) return
        connection.abort(Runnable::run)
        throw SQLNonTransientConnectionException("The connection broke.", "08006")
    }

    private fun <T : Any> proxy(type: Class<T>, target: T, then: (String, Array<out Any?>, Any?) -> Any?): T = type.cast(
        Proxy.newProxyInstance(type.classLoader ?: javaClass.classLoader, arrayOf(type)) { _, method, arguments ->
            val result = try {
                method.invoke(target, *arguments.orEmpty())
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            then(method.name, arguments.orEmpty(), result)
        },
    )
}
