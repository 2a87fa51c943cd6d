package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.crash.DoomedJvm
import io.runledger.coroutines.crash.LosingDataSource
import io.runledger.coroutines.crash.bePatient
import io.runledger.coroutines.crash.doomedPool
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobStatus
import io.runledger.model.schedule.PollResult
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** A worker that the test kills, freezes and disconnects: with all loops, a short lease, and retention that deletes at once. */
object ChaosWorker {
    const val EXHAUST = "exhaust"
    const val GIVE_BACK = "give back"
    const val LOSE_CLAIM = "lose claim"
    const val CLAIM_LOST = "claim lost"
    const val INBOX = "inbox"
    private const val CONNECTIONS = 15
    private const val MOST_FOUND = 100
    private const val CLAIMS_TO_LOSE = 3

    private val config = quick {
        lease(Duration.ofSeconds(3)).maxConcurrency(6).scheduler(true).schedulerInterval(Duration.ofSeconds(1))
        reaper(true).reaperInterval(Duration.ofMillis(200)).reaperRetryDelay(Duration.ofMillis(1))
        JobStatus.entries.filter { it.isTerminal }.forEach { retention(it, forgottenAfter) }
        triggerTimeout(Duration.ofSeconds(3))
        runRetention(forgottenAfter).fireRetention(Duration.ofMinutes(5)).janitorInterval(Duration.ofMillis(100))
    }

    private val forgottenAfter: Duration get() = Duration.ofMillis(300)

    @JvmStatic
    fun main(arguments: Array<String>) {
        val pool = doomedPool(size = CONNECTIONS) {
            bePatient()
            // The database may be unavailable while the process starts.
            initializationFailTimeout = -1
            addDataSourceProperty("socketTimeout", "1")
        }
        val toLose = AtomicInteger()
        val losing = LosingDataSource(pool) { it == LosingDataSource.Moment.COMMITTED && isLost(toLose) }
        RunledgerWorker.builder(RunledgerClient.create(losing.dataSource))
            .handlers(pool.chaosHandlers())
            .config(config)
            .trigger(INBOX, Duration.ofSeconds(1)) { _ -> PollResult.all(pool.findNew()) }
            .start()
        val greedy = Greedy(pool)
        DoomedJvm.listen {
            when (it) {
                EXHAUST -> greedy.exhaust(CONNECTIONS)
                GIVE_BACK -> greedy.giveBack()
                LOSE_CLAIM -> toLose.set(CLAIMS_TO_LOSE)
            }
        }
    }

    private fun isLost(toLose: AtomicInteger): Boolean {
        if (toLose.get() == 0) return false
        toLose.decrementAndGet()
        DoomedJvm.say(CLAIM_LOST)
        return true
    }

    /** An item is found again and again until its job has left an effect. */
    private fun DataSource.findNew(): List<PollResult> = connection.use { connection ->
        connection.createStatement().executeQuery(UNSEEN).use { rows ->
            buildList {
                while (rows.next()) rows.getString(1).let { add(PollResult.fire(it, ordinary, Order(it))) }
            }
        }
    }

    private const val UNSEEN =
        "SELECT i.tag FROM inbox i WHERE NOT EXISTS (SELECT FROM effects e WHERE e.tag = i.tag) ORDER BY i.tag LIMIT $MOST_FOUND"
}
