package io.runledger.coroutines.crash

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.SQLNonTransientConnectionException
import javax.sql.DataSource

/**
 * Connections to a server that executes all calls, and whose answers to claims are lost: [isLost] is called when a claim's
 * statement has run, and when its commit has. An enqueue that leases its job counts as a claim.
 */
class LosingDataSource(real: DataSource, private val isLost: (Moment) -> Boolean) {
    enum class Moment { CLAIMED, COMMITTED }

    private val leasing = listOf("SET status = 'LEASED'", "AS lease_seconds\n    FROM definition")

    val dataSource: DataSource = proxy(DataSource::class.java, real) { name, _, result ->
        if (name == "getConnection") connection(result as Connection) else result
    }

    private fun connection(real: Connection): Connection {
        var hasClaimed = false
        return proxy(Connection::class.java, real) { name, arguments, result ->
            if (name == "commit" && hasClaimed) {
                hasClaimed = false
                lose(Moment.COMMITTED, real)
            }
            if (name == "prepareStatement" && leasing.any { it in arguments.first() as String }) {
                claim(result as PreparedStatement) {
                    hasClaimed = !real.autoCommit
                    lose(Moment.CLAIMED, real)
                }
            } else {
                result
            }
        }
    }

    private fun claim(real: PreparedStatement, onRun: () -> Unit): PreparedStatement =
        proxy(PreparedStatement::class.java, real) { name, _, result ->
            if (name.startsWith("execute")) onRun()
            result
        }

    private fun lose(moment: Moment, connection: Connection) {
        if (!isLost(moment)) return
        connection.abort(Runnable::run)
        throw SQLNonTransientConnectionException("The connection broke.", "08006")
    }

    private fun <T : Any> proxy(type: Class<T>, target: T, then: (String, Array<out Any?>, Any?) -> Any?): T = type.cast(
        Proxy.newProxyInstance(javaClass.classLoader, arrayOf(type)) { _, method, arguments ->
            val result = try {
                method.invoke(target, *arguments.orEmpty())
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            then(method.name, arguments.orEmpty(), result)
        },
    )
}
