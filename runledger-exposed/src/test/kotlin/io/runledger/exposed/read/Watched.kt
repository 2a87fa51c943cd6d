package io.runledger.exposed.read

import java.lang.reflect.InvocationHandler
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import javax.sql.DataSource

/** A data source that calls [before] for each statement, with its number from 1, before it is prepared. */
internal class Watched(private val real: DataSource, private val before: (Int) -> Unit = {}) : DataSource by real {
    var statements = 0
        private set

    override fun getConnection(): Connection = real.connection.intercepting { method, arguments, call ->
        if (method == "prepareStatement") before(++statements)
        call(arguments)
    }
}

/** A data source that keeps the plan of each statement that it [explains], with what it really read: it runs those twice. */
internal class Explaining(private val real: DataSource, private val explains: (String) -> Boolean = { true }) :
    DataSource by real {
    val plans = mutableListOf<String>()

    override fun getConnection(): Connection {
        val connection = real.connection
        return connection.intercepting { method, arguments, call ->
            val statement = call(arguments)
            val sql = arguments.firstOrNull() as? String
            when {
                statement !is PreparedStatement || sql == null || !explains(sql) -> statement
                else -> explaining(connection, sql, statement)
            }
        }
    }

    private fun explaining(connection: Connection, sql: String, statement: PreparedStatement): PreparedStatement {
        val explain = connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) $sql")
        return statement.intercepting { method, arguments, call ->
            when {
                method.startsWith("set") ->
                    PreparedStatement::class.java.methods
                        .single { it.name == method && it.parameterCount == arguments.size && it.accepts(arguments) }
                        .invoke(explain, *arguments)

                method == "executeQuery" -> explain.executeQuery().use { rows ->
                    plans += buildString { while (rows.next()) appendLine(rows.getString(1)) }
                }

                method == "close" -> explain.close()
            }
            call(arguments)
        }
    }
}

private fun Method.accepts(arguments: Array<Any?>) = parameterTypes.zip(arguments).all { (type, argument) ->
    argument == null || type.kotlin.javaObjectType.isInstance(argument)
}

private inline fun <reified T : Any> T.intercepting(crossinline call: (String, Array<Any?>, (Array<Any?>) -> Any?) -> Any?): T {
    val real = this
    val handler = InvocationHandler { _, method, given ->
        call(method.name, given ?: emptyArray()) { arguments ->
            try {
                method.invoke(real, *arguments)
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
        }
    }
    return Proxy.newProxyInstance(T::class.java.classLoader, arrayOf(T::class.java), handler) as T
}
