package io.runledger.coroutines

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.Statement
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** Remembers the statements sent through it and how many connections were out at once. */
class CountingDataSource(real: DataSource) {
    private val statements = ConcurrentLinkedQueue<String>()
    private val out = AtomicInteger()
    private val peak = AtomicInteger()

    val dataSource: DataSource = wrap(real, DataSource::class.java)
    val sent: List<String> get() = statements.toList()
    val mostConnections: Int get() = peak.get()

    private fun <T : Any> wrap(target: T, type: Class<T>): T = type.cast(
        Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, arguments ->
            if (target is Statement && method.name.startsWith("execute")) statements += target.toString()
            if (target is Connection && method.name == "close") out.decrementAndGet()
            val result = try {
                method.invoke(target, *(arguments ?: emptyArray()))
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            when {
                result is Connection && target is DataSource -> {
                    peak.accumulateAndGet(out.incrementAndGet(), ::maxOf)
                    wrap(result, Connection::class.java)
                }

                result is PreparedStatement -> wrap(result, PreparedStatement::class.java)

                result is Statement -> wrap(result, Statement::class.java)

                else -> result
            }
        },
    )
}
