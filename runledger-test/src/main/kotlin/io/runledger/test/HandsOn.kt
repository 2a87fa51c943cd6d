package io.runledger.test

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import java.time.Duration

/** Runs a real worker until no work is left. Paused work, and jobs behind one that holds their order, are not awaited. */
internal class HandsOn(
    private val ledger: TestLedger,
    private val handlers: Handlers,
    private val client: RunledgerClient = ledger.client,
) {
    private val schema = ledger.client.schema
    private val types = handlers.jobTypes.map { it.name() }
    private val left = """
        (SELECT 'a job ' || job.status || ': ' || job.job_type || ' ' || job.id
           FROM $schema.job_queue AS job JOIN $schema.job_definitions AS type USING (job_type)
          WHERE job.job_type = ANY (?)
            AND (job.status = 'LEASED'
                 OR job.status = 'PENDING' AND job.next_run_at <= now() + $NEARLY
                 AND NOT job.is_paused AND NOT type.is_paused
                 AND NOT EXISTS (
                     SELECT FROM unnest(job.limit_keys) AS wanted (limit_key)
                       JOIN $schema.limits AS paused ON paused.name = $schema.limit_of(wanted.limit_key) AND paused.permits = 0)
                 AND NOT EXISTS (
                     SELECT FROM $schema.job_queue AS ahead
                      WHERE ahead.order_key = job.order_key AND ahead.order_position < job.order_position
                        AND (ahead.status = 'DEAD_LETTERED' AND ahead.holds_order
                             OR ahead.status = 'PENDING' AND (ahead.is_paused OR ahead.next_run_at > now() + $NEARLY))))
          LIMIT 1)
        UNION ALL
        (SELECT 'a due schedule: ' || name FROM $schema.job_schedules
          WHERE (job_type = ANY (?) OR kind = 'WORKFLOW') AND is_active AND next_fire_at <= now() LIMIT 1)
        UNION ALL
        (SELECT 'a gate that ran out: ' || step_key FROM $schema.workflow_step_rows
          WHERE is_open_gate AND expires_at <= now() LIMIT 1)
        LIMIT 1
    """

    /** Runs until no work is left. */
    fun work(patience: Duration): WorkerReport = start().use {
        awaitIdle(patience) { false }
        it.stop().join()
    }

    /** Runs until no work is left or [isDead]. A crashed worker is not awaited, because it cannot access the database. */
    fun workUntilDeath(patience: Duration, isDead: () -> Boolean) {
        val worker = start()
        try {
            awaitIdle(patience, isDead)
        } finally {
            if (isDead()) worker.stop() else worker.close()
        }
    }

    private fun start(): RunningWorker = RunledgerWorker.builder(client).handlers(handlers).config(eager).start()

    private fun awaitIdle(patience: Duration, isOver: () -> Boolean) {
        val start = System.nanoTime()
        var left = whatIsLeft()
        while (left != null && !isOver()) {
            if (System.nanoTime() - start > patience.toNanos()) throw AssertionError("After $patience there is still $left.")
            Thread.sleep(LOOK_AGAIN_MILLIS)
            left = whatIsLeft()
        }
    }

    /** A description of the running or due work at this moment, or null if there is none. */
    private fun whatIsLeft(): String? = ledger.dataSource.connection.use { connection ->
        val handled = connection.createArrayOf("text", types.toTypedArray())
        connection.prepareStatement(left).use { query ->
            query.setArray(1, handled)
            query.setArray(2, handled)
            val rows = query.executeQuery()
            if (rows.next()) rows.getString(1) else null
        }
    }

    private companion object {
        const val LOOK_AGAIN_MILLIS = 5L

        /** A job recovered from a lost worker is due after a short delay, so jobs due within this time count as due. */
        const val NEARLY = "interval '100 milliseconds'"
        val soon: Duration = Duration.ofMillis(50)

        // A test that advances a year still reads the results of its jobs.
        val eager: WorkerConfig = WorkerConfig.builder().workerId("test-worker").keepEverything()
            .shutdownGrace(
                Duration.ZERO,
            ).pollInterval(soon).schedulerInterval(soon).reaperInterval(soon).reaperRetryDelay(Duration.ofMillis(1)).build()
    }
}
