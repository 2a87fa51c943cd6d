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

/** The connections of a process that crashes immediately before or after its writing commit number [commit]. */
internal class DoomedDataSource(private val real: DataSource, private val commit: Int, private val isAfter: Boolean) {
    private val commits = AtomicInteger()
    private val open = ConcurrentHashMap.newKeySet<Connection>()

    @Volatile
    var isDead: Boolean = false
        private set

    /** The position of the crash, for messages. */
    val place: String get() = "${if (isAfter) "after" else "before"} commit $commit of its process"

    val dataSource: DataSource = proxy(DataSource::class.java, real) { method, _, call ->
        if (method.name == "getConnection") connection(call() as Connection) else call()
    }

    private fun connection(connection: Connection): Connection {
        open += connection
        return proxy(Connection::class.java, connection) { method, arguments, call ->
            when (method.name) {
                "commit" -> committing(connection, call)
                "close" -> call().also { open -= connection }
                "prepareStatement", "createStatement" -> statement(connection, call() as Statement)
                else -> call()
            }
        }
    }

    /**
     * In auto-commit mode a statement commits by itself. It runs in a transaction here, so that its writes can be checked
     * first.
     */
    private fun statement(connection: Connection, statement: Statement): Any {
        val type =
            statement.javaClass.interfaces.firstOrNull { Statement::class.java.isAssignableFrom(it) } ?: Statement::class.java
        return proxy(type, statement) { method, _, call ->
            if (method.name.startsWith("execute") && connection.autoCommit) alone(connection, call) else call()
        }
    }

    private fun alone(connection: Connection, call: () -> Any?): Any? {
        connection.autoCommit = false
        try {
            return call().also { committing(connection, connection::commit) }
        } catch (failure: SQLException) {
            if (!connection.isClosed) connection.rollback()
            throw failure
        } finally {
            if (!connection.isClosed) connection.autoCommit = true
        }
    }

    private fun committing(connection: Connection, commit: () -> Any?): Any? {
        val isLast = connection.hasWritten() && commits.incrementAndGet() == this.commit
        if (isLast && !isAfter) die()
        val result = commit()
        if (isLast) die()
        return result
    }

    private fun Connection.hasWritten(): Boolean = createStatement().use { statement ->
        statement.executeQuery("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").use { it.next() && it.getBoolean(1) }
    }

    private fun die(): Nothing {
        isDead = true
        open.forEach { connection ->
            try {
                connection.abort(Runnable::run)
            } catch (_: SQLException) {
                // The connection is closed in any case.
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
}
