package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import java.sql.Connection

private const val POOL = 8
private const val THREADS = 2
private const val BATCH = 500
private const val CHUNK = 5_000

val LEDGER_FLOOR = Entry(
    name = "floor-ledger",
    isFloor = true,
    settings = "our tables and every row of our ledger, one job type, the shortest set-based SQL, $THREADS threads, batch $BATCH",
    make = ::LedgerFloor,
)

/** The tables of Runledger by plain JDBC: the baseline for the cost of the library. */
class LedgerFloor(private val database: BenchDatabase) : JvmContender {
    private val pool = database.pool(POOL)

    override fun install() {
        val client = RunledgerClient.create(pool)
        client.migrate()
        client.definitions.declare(JobType.json("bench.noop"))
    }

    override fun enqueue(payload: String) = insert(1, payload)

    override fun enqueueAll(count: Int, payload: String) {
        for (left in count downTo 1 step CHUNK) insert(minOf(CHUNK, left), payload)
    }

    private fun insert(count: Int, payload: String) = pool.connection.use { connection ->
        connection.prepareStatement(INSERT).use {
            it.setArray(1, connection.createArrayOf("text", Array(count) { payload }))
            it.executeUpdate()
        }
        Unit
    }

    override fun start(task: Task): Worker = worker(::enqueue, close = loop(task)::close)

    private fun loop(task: Task) = BatchLoop(THREADS) {
        pool.connection.use { connection ->
            val leases = connection.claim()
            leases.forEach { _ -> task.onJob() }
            if (leases.isNotEmpty()) connection.settle(leases)
            leases.size
        }
    }

    private fun Connection.claim(): List<Pair<Any, Any>> = prepareStatement(CLAIM).use { claim ->
        claim.executeQuery().use { rows ->
            buildList {
                while (rows.next()) {
                    rows.getString(PAYLOAD)
                    add(rows.getObject(ID) to rows.getObject(LEASE))
                }
            }
        }
    }

    private fun Connection.settle(leases: List<Pair<Any, Any>>) = prepareStatement(SETTLE).use {
        it.setArray(1, createArrayOf("uuid", Array(leases.size) { n -> leases[n].first }))
        it.setArray(2, createArrayOf("uuid", Array(leases.size) { n -> leases[n].second }))
        it.executeUpdate()
    }

    override fun hasOpenJobs(): Boolean = database.hasOpenLedgerJobs()

    override val history = { rows: Long -> database.addLedgerHistory(rows) }

    override fun workerCommand(): List<String> = jvmWorker(LEDGER_FLOOR.name, database)

    override fun close() = pool.close()

    private companion object {
        const val ID = 1
        const val LEASE = 2
        const val PAYLOAD = 3
        const val INSERT =
            "INSERT INTO runledger.job_queue (job_type, payload, max_attempts) SELECT 'bench.noop', p::jsonb, 8 FROM unnest(?::text[]) AS p"
        const val CLAIM = """
            WITH picked AS MATERIALIZED (
                SELECT id FROM runledger.job_queue
                WHERE status = 'PENDING' AND NOT is_paused AND NOT is_delayed AND job_type = 'bench.noop' AND next_run_at <= now()
                ORDER BY priority DESC, next_run_at, id LIMIT $BATCH FOR UPDATE SKIP LOCKED
            )
            UPDATE runledger.job_queue q
            SET status = 'LEASED', attempt = q.attempt + 1, lease_id = gen_random_uuid(), worker_id = 'floor', leased_at = now(),
                lease_seconds = 60, lease_expires_at = now() + interval '1 minute', last_heartbeat_at = now(),
                started_at = coalesce(q.started_at, now()), claim_origin = 'DIRECT', updated_at = now()
            WHERE q.id = ANY (ARRAY(SELECT id FROM picked))
            RETURNING q.id, q.lease_id, q.payload
        """

        /** Finds each row by its primary key alone; naming the status would lead the planner to the index of leases. */
        const val SETTLE = """
            WITH done AS (
                UPDATE runledger.job_queue q
                SET status = 'SUCCEEDED', stage = 'completed', lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
                    claim_origin = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, finished_at = now(), updated_at = now()
                FROM unnest(?::uuid[], ?::uuid[]) AS i (id, lease_id)
                WHERE q.id = i.id AND q.lease_id = i.lease_id
                RETURNING q.id, q.run_number, q.attempt, q.started_at
            )
            INSERT INTO runledger.job_attempts (
                job_id, run_number, attempt, outcome, worker_id, claim_origin, lease_seconds, leased_at, started_at, finished_at
            )
            SELECT id, run_number, attempt, 'SUCCEEDED', 'floor', 'DIRECT', 60, started_at, started_at, now() FROM done
        """
    }
}
