package io.runledger.postgres

import java.util.function.Consumer

/**
 * A database of its own for one test. [close] drops it and ends whatever sessions are still connected to it;
 * closing again, or closing after the server is gone, does nothing.
 */
public class TestDatabase internal constructor(server: PostgresServer, name: String, private val drop: Consumer<String>) :
    PostgresDatabase(server, name),
    AutoCloseable {
    override fun close(): Unit = drop.accept(name)
}
