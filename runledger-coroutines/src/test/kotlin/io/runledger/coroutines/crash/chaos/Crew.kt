package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.crash.DoomedJvm
import io.runledger.coroutines.crash.FakeClock
import io.runledger.coroutines.crash.Line
import io.runledger.postgres.PostgresDatabase
import java.util.concurrent.atomic.AtomicInteger

/** The prefix of the session names of workers. */
internal const val CREW = "crew"

/** A worker process and its connection to the database; both can fail. The database knows its sessions by its [name]. */
internal class Crew(val name: String, private val database: PostgresDatabase, private val onBegun: (String) -> Unit) :
    AutoCloseable {
    val line = Line(database)
    private val claims = AtomicInteger()
    private var clock = FakeClock.RIGHT
    private lateinit var listening: Thread
    private var jvm = start()

    /** How many claims' answers were lost. */
    val lostClaims: Int get() = claims.get()

    fun kill() {
        jvm.kill()
        // Its output before its death counts.
        listening.join()
        jvm = start()
    }

    /** Restarts with a wrong clock. */
    fun kill(clock: FakeClock) {
        this.clock = clock
        kill()
    }

    fun freeze() = jvm.freeze()

    fun wake() = jvm.wake()

    /** Something else in the process takes every connection of its pool, until [giveBack]. */
    fun exhaust() = jvm.tell(ChaosWorker.EXHAUST)

    fun giveBack() = jvm.tell(ChaosWorker.GIVE_BACK)

    /** Loses the answers to the commits of its next claims. */
    fun loseClaims() = jvm.tell(ChaosWorker.LOSE_CLAIM)

    fun diagnosis(): String = "$name is ${jvm.diagnosis()}"

    private fun start() = DoomedJvm.start(ChaosWorker::class, database, "${line.jdbcUrl}?ApplicationName=$name", clock)
        .also { listening = it.overhear(::hear) }

    private fun hear(said: String) {
        if (said == ChaosWorker.CLAIM_LOST) claims.incrementAndGet() else onBegun(said.removePrefix(BEGUN))
    }

    override fun close() {
        jvm.close()
        line.close()
    }
}
