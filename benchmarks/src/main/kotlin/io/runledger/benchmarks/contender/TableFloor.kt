package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker

private const val POOL = 8
private const val THREADS = 2
private const val BATCH = 500
private const val CHUNK = 5_000

val TABLE_FLOOR = Entry(
    name = "floor-table",
    isFloor = true,
    settings = "one narrow table, claim marks a row and completion deletes it, $THREADS threads, batch $BATCH",
    make = ::TableFloor,
)

/** A minimal queue on PostgreSQL by plain JDBC, without history and without guarantees. */
class TableFloor(private val database: BenchDatabase) : JvmContender {
    private val pool = database.pool(POOL)

    override fun install() = database.run(
        "CREATE TABLE queue (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, due_at timestamptz NOT NULL DEFAULT now(), " +
            "is_taken boolean NOT NULL DEFAULT false, payload jsonb NOT NULL)",
        "CREATE INDEX queue_open ON queue (due_at, id) WHERE NOT is_taken",
    )

    override fun enqueue(payload: String) = insert(1, payload)

    override fun enqueueAll(count: Int, payload: String) {
        for (left in count downTo 1 step CHUNK) insert(minOf(CHUNK, left), payload)
    }

    private fun insert(count: Int, payload: String) = pool.connection.use { connection ->
        connection.prepareStatement("INSERT INTO queue (payload) SELECT p::jsonb FROM unnest(?::text[]) AS p").use {
            it.setArray(1, connection.createArrayOf("text", Array(count) { payload }))
            it.executeUpdate()
        }
        Unit
    }

    override fun start(task: Task): Worker = worker(::enqueue, close = loop(task)::close)

    private fun loop(task: Task) = BatchLoop(THREADS) {
        pool.connection.use { connection ->
            val ids = connection.prepareStatement(CLAIM).use { claim ->
                claim.executeQuery().use { rows ->
                    buildList { while (rows.next()) add(rows.getLong(1).also { rows.getString(2) }) }
                }
            }
            ids.forEach { _ -> task.onJob() }
            if (ids.isNotEmpty()) {
                connection.prepareStatement("DELETE FROM queue WHERE id = ANY (?)").use {
                    it.setArray(1, connection.createArrayOf("bigint", ids.toTypedArray()))
                    it.executeUpdate()
                }
            }
            ids.size
        }
    }

    override fun hasOpenJobs(): Boolean =
        database.number("SELECT count(*) FROM (SELECT FROM queue WHERE due_at <= now() LIMIT 1) AS open") > 0

    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM queue")
        database.run(
            "INSERT INTO queue (due_at, payload) SELECT now() + interval '30 days' + n * interval '1 second', '{\"n\": 1}' " +
                "FROM generate_series($there + 1, $rows) AS n",
        )
    }

    override fun workerCommand(): List<String> = jvmWorker(TABLE_FLOOR.name, database)

    override fun close() = pool.close()

    private companion object {
        const val CLAIM = """
            WITH picked AS MATERIALIZED (
                SELECT id FROM queue WHERE NOT is_taken AND due_at <= now() ORDER BY due_at, id LIMIT $BATCH FOR UPDATE SKIP LOCKED
            )
            UPDATE queue SET is_taken = true WHERE id = ANY (ARRAY(SELECT id FROM picked)) RETURNING id, payload
        """
    }
}
