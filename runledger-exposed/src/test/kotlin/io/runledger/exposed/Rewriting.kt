package io.runledger.exposed

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import javax.sql.DataSource

/**
 * A data source that replaces [part] of a statement by [replacement]. A test uses it to show the effect of a part by leaving it
 * out.
 */
class Rewriting(private val real: DataSource, private val part: String, private val replacement: String) : DataSource by real {
    var rewritten = 0
        private set

    override fun getConnection(): Connection {
        val connection = real.connection
        return Proxy.newProxyInstance(javaClass.classLoader, arrayOf(Connection::class.java)) { _, method, given ->
            val arguments = given ?: emptyArray()
            if (method.name == "prepareStatement") arguments[0] = rewrite(arguments[0] as String)
            try {
                method.invoke(connection, *arguments)
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
        } as Connection
    }

    private fun rewrite(sql: String): String {
        if (part in sql) rewritten++
        return sql.replace(part, replacement)
    }
}
