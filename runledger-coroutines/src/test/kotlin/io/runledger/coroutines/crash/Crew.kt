package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase

/** A worker process and its line to the database; both can be taken from it. */
internal class Crew(private val database: PostgresDatabase) : AutoCloseable {
    val line = Line(database)
    private var clock = FakeClock.RIGHT
    private var jvm = start()

    fun kill() {
        jvm.kill()
        jvm = start()
    }

    /** Dies and comes back with another idea of the time of day. */
    fun kill(clock: FakeClock) {
        this.clock = clock
        kill()
    }

    fun freeze() = jvm.freeze()

    fun wake() = jvm.wake()

    /** Something else in the process takes every connection of its pool, until [giveBack]. */
    fun exhaust() = jvm.tell(ChaosProgram.EXHAUST)

    fun giveBack() = jvm.tell(ChaosProgram.GIVE_BACK)

    private fun start() = DoomedJvm.start(ChaosProgram::class, database, line.jdbcUrl, clock).apply { ignore() }

    override fun close() {
        jvm.close()
        line.close()
    }
}
