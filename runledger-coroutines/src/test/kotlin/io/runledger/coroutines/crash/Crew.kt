package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase

/** A worker process and its line to the database; both can be taken from it. */
internal class Crew(private val database: PostgresDatabase) : AutoCloseable {
    val line = Line(database)
    private var jvm = start()

    fun kill() {
        jvm.kill()
        jvm = start()
    }

    fun freeze() = jvm.freeze()

    fun wake() = jvm.wake()

    private fun start() = DoomedJvm.start(ChaosProgram::class, database, line.jdbcUrl).apply { ignore() }

    override fun close() {
        jvm.close()
        line.close()
    }
}
