package io.runledger.test

import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import java.time.Duration
import java.util.function.Consumer
import java.util.function.Function
import javax.sql.DataSource

/**
 * Shows that handlers, or a whole workflow of them, survive a crash at any moment that matters: before and after every commit
 * their process makes.
 *
 * Each crash point gets a fresh ledger, which [of] prepares, and a worker that works until the point is reached. There it
 * dies: its connections end without a word, and none of its calls reaches the database any more. Its leases run out, a second
 * worker takes over, without the wait that a retry policy asks for, and works until nothing is left. Then the ledger must
 * agree with itself, and the invariant given to [check] must hold. The points come one after the other, until a round ends
 * before its point comes.
 *
 * What a test cannot do is stop the dead worker's code: handlers go on until they touch the database or return.
 */
public class CrashPoints private constructor(private val prepare: Consumer<TestLedger>) {
    private var make: Function<DataSource, Handlers>? = null
    private var only: Int? = null
    private var patience = Duration.ofMinutes(1)

    /** The handlers, made anew for each worker. What they do to the database goes through the data source they are given. */
    public fun handlers(make: Function<DataSource, Handlers>): CrashPoints = apply { this.make = make }

    /** Only this crash point: the number that a failure named. */
    public fun only(point: Int): CrashPoints = apply { only = point }

    /** How long one worker may take; a minute unless said. */
    public fun patience(patience: Duration): CrashPoints = apply { this.patience = patience }

    /**
     * Tries every crash point and calls [invariant] after each, and once for a life without a crash. Answers how many points
     * there were. Fails with an [AssertionError] that names the point, for [only].
     */
    public fun check(invariant: Consumer<TestLedger>): Int {
        val make = checkNotNull(make) { "There are no handlers: say handlers { dataSource -> ... } first." }
        only?.let { return if (diesAt(it, make, invariant)) 1 else 0 }
        return generateSequence(0) { it + 1 }.first { !diesAt(it, make, invariant) }
    }

    /** Answers whether the point came. */
    private fun diesAt(point: Int, make: Function<DataSource, Handlers>, invariant: Consumer<TestLedger>): Boolean =
        TestLedger.fresh().use { ledger ->
            prepare.accept(ledger)
            val doomed = DoomedDataSource(ledger.database.dataSource(), commit = point / 2 + 1, isAfter = point % 2 == 1)
            val client = RunledgerClient.builder(doomed.dataSource).schema(ledger.client.schema).notifications(false).build()
            HandsOn(ledger, make.apply(doomed.dataSource), client).workUntilDeath(patience) { doomed.isDead }
            awaitSilence(ledger)
            ledger.advance(LEASE)
            ledger.work(make.apply(ledger.dataSource), patience)
            if (endWaits(ledger) > 0) ledger.work(make.apply(ledger.dataSource), patience)
            try {
                val verification = ledger.client.verify()
                if (!verification.isSound) throw AssertionError("The ledger contradicts itself. $verification")
                invariant.accept(ledger)
            } catch (broken: Throwable) {
                throw AssertionError("After a crash ${doomed.place} (crash point $point): ${broken.message}", broken)
            }
            doomed.isDead
        }

    /** Lets what was taken over begin again at once, however long its retry policy has it wait. Answers how many do. */
    private fun endWaits(ledger: TestLedger): Int = ledger.dataSource.connection.use { connection ->
        connection.createStatement().use {
            it.executeUpdate(
                "UPDATE ${ledger.client.schema}.job_queue SET next_run_at = now() " +
                    "WHERE status = 'PENDING' AND status_reason = 'LEASE_EXPIRED' AND next_run_at > now()",
            )
        }
    }

    /** The server may still be at what the dead process said last, and take a lease for it. */
    private fun awaitSilence(ledger: TestLedger) {
        val end = System.nanoTime() + patience.toNanos()
        while (ledger.isBusy()) {
            if (System.nanoTime() > end) throw AssertionError("After $patience the dead process's statements still run.")
        }
    }

    private fun TestLedger.isBusy(): Boolean = dataSource.connection.use { connection ->
        connection.createStatement().use { statement -> statement.executeQuery(BUSY).use { it.next() } }
    }

    public companion object {
        private const val BUSY = "SELECT 1 FROM pg_stat_activity " +
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
        private val LEASE = Duration.ofMinutes(2)

        /** Starts from what [prepare] does to a fresh ledger: your own tables, definitions, the jobs and runs to be worked on. */
        @JvmStatic
        public fun of(prepare: Consumer<TestLedger>): CrashPoints = CrashPoints(prepare)
    }
}
