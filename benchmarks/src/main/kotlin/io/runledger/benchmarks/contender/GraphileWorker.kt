package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase

private const val POOL = 8
private const val SCRIPT = "graphile-worker.mjs"

private fun settings(delay: Int) = "0.18.0 on Node.js 24.21, as its performance page: localQueue 500, completeJobBatchDelay and " +
    "failJobBatchDelay $delay, concurrentJobs 24, maxPoolSize 25 (where handlers wait: concurrentJobs 10000, " +
    "localQueue 10001); no line in the log for each job; " +
    "enqueued by its SQL functions add_job and add_jobs, ${NodePackages.CHUNK} at once"

/** With the delay that its performance page gives as a starting point, which spares two cores commits. */
val GRAPHILE_WORKER = Entry(
    name = "graphile-worker",
    isJvm = false,
    settings = settings(delay = 25),
    absence = { NodePackages.absence("graphile-worker") },
    make = { GraphileWorker(it, batchDelay = 25) },
)

/** With the delay behind the figures of its performance page. */
val GRAPHILE_WORKER_DELAY_0 = Entry(
    name = "graphile-worker-delay-0",
    isVariant = true,
    isJvm = false,
    settings = settings(delay = 0),
    absence = { NodePackages.absence("graphile-worker") },
    make = { GraphileWorker(it, batchDelay = 0) },
)

/** graphile-worker on Node.js. It deletes what has succeeded, so its history is of the future only. */
class GraphileWorker(private val database: BenchDatabase, private val batchDelay: Int) : Contender {
    private val pool = database.pool(POOL)

    override fun install() {
        NodePackages.run(SCRIPT, "install", database)
    }

    override fun enqueue(payload: String) = pool.connection.use { connection ->
        connection.prepareStatement("SELECT id FROM graphile_worker.add_job('noop', ?::json)").use {
            it.setString(1, payload)
            it.execute()
        }
        Unit
    }

    override fun enqueueAll(count: Int, payload: String) = pool.connection.use { connection ->
        connection.prepareStatement(ADD_JOBS).use {
            val chunk = NodePackages.chunk(payload)
            for (left in count downTo 1 step chunk) {
                it.setArray(1, connection.createArrayOf("text", Array(minOf(chunk, left)) { payload }))
                it.execute()
            }
        }
    }

    /** A job that has succeeded is gone; the rows of [history] have ids below zero. */
    override fun hasOpenJobs(): Boolean =
        database.number("SELECT count(*) FROM (SELECT FROM graphile_worker._private_jobs WHERE id > 0 LIMIT 1) AS open") > 0

    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM graphile_worker._private_jobs WHERE id < 0")
        database.run(
            "INSERT INTO graphile_worker._private_tasks (identifier) VALUES ('noop') ON CONFLICT DO NOTHING",
            "INSERT INTO graphile_worker._private_jobs (id, task_id, payload, created_at, updated_at, run_at) OVERRIDING SYSTEM VALUE " +
                "SELECT -n, t.id, '{\"n\": 1}', now() - interval '30 days', now() - interval '30 days', " +
                "now() + interval '30 days' + n * interval '1 second' " +
                "FROM graphile_worker._private_tasks AS t, generate_series($there + 1, $rows) AS n WHERE t.identifier = 'noop'",
        )
    }

    override fun workerCommand(): List<String> = NodePackages.command(SCRIPT, "worker", database, batchDelay)

    override fun close() = pool.close()

    private companion object {
        const val ADD_JOBS = "SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(" +
            "SELECT ('noop', p::json, NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec FROM unnest(?::text[]) AS p))"
    }
}
