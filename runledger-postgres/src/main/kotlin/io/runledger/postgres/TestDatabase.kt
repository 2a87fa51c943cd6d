package io.runledger.postgres

import java.util.function.Consumer

/**
 * A separate database for one test. [close] drops the database and terminates its remaining sessions. A repeated call, or a
 * call after the server has stopped, has no effect.
 */
public class TestDatabase internal constructor(server: PostgresServer, name: String, private val drop: Consumer<String>) :
    PostgresDatabase(server, name),
    AutoCloseable {
    override fun close(): Unit = drop.accept(name)
}
