package io.runledger.test

import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import java.time.Duration
import java.util.function.Consumer
import java.util.function.Function
import javax.sql.DataSource

/**
 * Tests that handlers, or a workflow of them, survive a crash before or after every commit of their process.
 *
 * Each crash point gets a fresh ledger, which [of] prepares, and a worker that runs until it reaches the point. There the
 * worker crashes: its connections are aborted, and none of its calls reaches the database any more. Its leases expire, and a
 * second worker takes over without the delay of the retry policy and runs until no work is left. Then the ledger must be
 * consistent, and the invariant given to [check] must hold. The points are tested one after the other, until a round ends
 * before it reaches its point.
 *
 * A test cannot stop the code of the crashed worker: its handlers continue until they access the database or return.
 */
public class CrashPoints private constructor(private val prepare: Consumer<TestLedger>) {
    private var make: Function<DataSource, Handlers>? = null
    private var only: Int? = null
    private var patience = Duration.ofMinutes(1)

    /** Creates the handlers for each worker. The handlers must access the database through the given data source. */
    public fun handlers(make: Function<DataSource, Handlers>): CrashPoints = apply { this.make = make }

    /** Tests only this crash point. The message of a failure has its number. */
    public fun only(point: Int): CrashPoints = apply { only = point }

    /** The time limit of one worker. The default is one minute. */
    public fun patience(patience: Duration): CrashPoints = apply { this.patience = patience }

    /**
     * Tests every crash point and calls [invariant] after each, and once after a round without a crash. Returns the number of
     * points. Fails with an [AssertionError] that has the number of the point, for [only].
     */
    public fun check(invariant: Consumer<TestLedger>): Int {
        val make = checkNotNull(make) { "There are no handlers. Call handlers { dataSource -> ... } first." }
        only?.let { return if (diesAt(it, make, invariant)) 1 else 0 }
        return generateSequence(0) { it + 1 }.first { !diesAt(it, make, invariant) }
    }

    /** Returns whether the worker reached the point. */
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
                if (!verification.isSound) throw AssertionError("The ledger is inconsistent. $verification")
                invariant.accept(ledger)
            } catch (broken: Throwable) {
                throw AssertionError("After a crash ${doomed.place} (crash point $point): ${broken.message}", broken)
            }
            doomed.isDead
        }

    /** Makes recovered jobs due at once, whatever the delay of their retry policy. Returns their number. */
    private fun endWaits(ledger: TestLedger): Int = ledger.dataSource.connection.use { connection ->
        connection.createStatement().use {
            it.executeUpdate(
                "UPDATE ${ledger.client.schema}.job_queue SET next_run_at = now() " +
                    "WHERE status = 'PENDING' AND status_reason = 'LEASE_EXPIRED' AND next_run_at > now()",
            )
        }
    }

    /** The server may still run the last statement of the crashed process, which may lease jobs. */
    private fun awaitSilence(ledger: TestLedger) {
        val end = System.nanoTime() + patience.toNanos()
        while (ledger.isBusy()) {
            if (System.nanoTime() > end) throw AssertionError("After $patience, the crashed process still runs statements.")
        }
    }

    private fun TestLedger.isBusy(): Boolean = dataSource.connection.use { connection ->
        connection.createStatement().use { statement -> statement.executeQuery(BUSY).use { it.next() } }
    }

    public companion object {
        private const val BUSY = "SELECT 1 FROM pg_stat_activity " +
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
        private val LEASE = Duration.ofMinutes(2)

        /** [prepare] sets up each fresh ledger: your own tables, the definitions, and the jobs and runs to process. */
        @JvmStatic
        public fun of(prepare: Consumer<TestLedger>): CrashPoints = CrashPoints(prepare)
    }
}
