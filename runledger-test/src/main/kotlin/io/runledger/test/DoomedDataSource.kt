package io.runledger.test

import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.SQLException
import java.sql.SQLNonTransientConnectionException
import java.sql.Statement
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** The connections of a process that dies just before, or just after, its commit number [commit]. */
internal class DoomedDataSource(private val real: DataSource, private val commit: Int, private val isAfter: Boolean) {
    private val commits = AtomicInteger()
    private val open = ConcurrentHashMap.newKeySet<Connection>()

    @Volatile
    var isDead: Boolean = false
        private set

    /** Where it died, or would have died. */
    val place: String get() = "${if (isAfter) "after" else "before"} commit $commit of its process"

    val dataSource: DataSource = proxy(DataSource::class.java, real) { method, _, call ->
        if (method.name == "getConnection") connection(call() as Connection) else call()
    }

    private fun connection(connection: Connection): Connection {
        open += connection
        return proxy(Connection::class.java, connection) { method, arguments, call ->
            when (method.name) {
                "commit" -> committing(call)
                "close" -> call().also { open -= connection }
                "prepareStatement" -> statement(connection, call() as Statement, arguments?.firstOrNull() as? String)
                "createStatement" -> statement(connection, call() as Statement, null)
                else -> call()
            }
        }
    }

    /** A statement that writes commits by itself when its connection is in auto-commit mode. */
    private fun statement(connection: Connection, statement: Statement, prepared: String?): Any {
        val type =
            statement.javaClass.interfaces.firstOrNull { Statement::class.java.isAssignableFrom(it) } ?: Statement::class.java
        return proxy(type, statement) { method, arguments, call ->
            val sql = prepared ?: arguments?.firstOrNull() as? String
            val writes = method.name.startsWith("execute") && sql != null && writing.containsMatchIn(sql)
            if (writes && connection.autoCommit) committing(call) else call()
        }
    }

    private fun committing(call: () -> Any?): Any? {
        val isLast = commits.incrementAndGet() == commit
        if (isLast && !isAfter) die()
        val result = call()
        if (isLast) die()
        return result
    }

    private fun die(): Nothing {
        isDead = true
        open.forEach { connection ->
            try {
                connection.abort(Runnable::run)
            } catch (_: SQLException) {
                // It is gone either way.
            }
        }
        throw dead()
    }

    private fun dead() = SQLNonTransientConnectionException("The process is dead.")

    private fun <T : Any> proxy(type: Class<*>, target: T, handle: (Method, Array<out Any?>?, () -> Any?) -> Any?): T {
        @Suppress("UNCHECKED_CAST")
        return Proxy.newProxyInstance(type.classLoader ?: javaClass.classLoader, arrayOf(type)) { _, method, arguments ->
            if (isDead && method.name !in setOf("close", "isClosed", "toString", "hashCode", "equals")) throw dead()
            handle(method, arguments) {
                try {
                    method.invoke(target, *arguments.orEmpty())
                } catch (thrown: InvocationTargetException) {
                    throw thrown.targetException
                }
            }
        } as T
    }

    private companion object {
        val writing = Regex("""\b(INSERT|UPDATE|DELETE)\b""", RegexOption.IGNORE_CASE)
    }
}
