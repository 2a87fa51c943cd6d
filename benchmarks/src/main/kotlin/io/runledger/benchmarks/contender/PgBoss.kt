package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import java.net.URLDecoder

private const val POOL = 8
private const val SCRIPT = "pg-boss.mjs"

val PG_BOSS = entry("pg-boss", PgBossSettings(batchSize = 1_000, workers = 4), hasBatchHandlers = true)

/** Larger batches: fewer statements per job. */
val PG_BOSS_LARGE_BATCHES = entry("pg-boss-large-batches", PgBossSettings(batchSize = 5_000, workers = 2), isVariant = true)

/** Released steps send no notification, so their workers must look for them. Steps are released once a second, hence the short chain. */
val PG_BOSS_FLOWS =
    entry("pg-boss-flows", PgBossSettings(batchSize = 1_000, workers = 4, pollMillis = 500), isVariant = true, chainLinks = 3)

/** Settings of the worker; [pollMillis] is the interval of its polls beside notifications. */
class PgBossSettings(val batchSize: Int, val workers: Int, val pollMillis: Int = 30_000)

private fun entry(
    name: String,
    settings: PgBossSettings,
    isVariant: Boolean = false,
    hasBatchHandlers: Boolean = false,
    chainLinks: Int? = null,
) = Entry(
    name = name,
    isJvm = false,
    isVariant = isVariant,
    hasBatchHandlers = hasBatchHandlers,
    chainLinks = chainLinks,
    settings = "12.38.0 on Node.js 24.21, batchSize ${settings.batchSize}, localConcurrency ${settings.workers} (1000 and 10 where handlers " +
        "wait), burstWhenBatchFull, pollingIntervalSeconds 0.5, notifyPollingIntervalSeconds ${settings.pollMillis / 1e3}, useListenNotify " +
        "and a queue with notify and a partition of its own, no cron, flowIntervalSeconds 1, the smallest it takes; enqueued by the " +
        "statements of its send() and insert(), ${NodePackages.CHUNK} at once, over JDBC",
    absence = { NodePackages.absence("pg-boss") },
    make = { PgBoss(it, settings) },
)

/**
 * pg-boss on Node.js. Jobs are enqueued with the same statements that its `send()` and `insert()` run on a connection of
 * the caller. This avoids a call from this process to Node.js and back.
 */
class PgBoss(private val database: BenchDatabase, private val settings: PgBossSettings) : Contender {
    private val pool = database.pool(POOL)
    private val statements by lazy {
        NodePackages.run(SCRIPT, "statements", database).trim().lines().map { URLDecoder.decode(it, Charsets.UTF_8).forJdbc() }
    }

    override fun install() {
        NodePackages.run(SCRIPT, "install", database)
        check(statements.size == 2) { "send() and insert() of pg-boss take ${statements.size} statements instead of one each." }
    }

    override fun enqueue(payload: String) = execute(statements[0], "[{\"data\":$payload}]")

    override fun enqueueAll(count: Int, payload: String) {
        val chunk = NodePackages.chunk(payload)
        for (left in count downTo 1 step chunk) {
            execute(statements[1], List(minOf(chunk, left)) { payload }.joinToString(",", "[", "]") { "{\"data\":$it}" })
        }
    }

    private fun execute(sql: String, jobs: String) = pool.connection.use { connection ->
        connection.prepareStatement(sql).use {
            it.setString(1, jobs)
            it.execute()
        }
        Unit
    }

    private fun String.forJdbc() = replace("?", "??").replace("$1", "?")

    /** The oldest due time is looked up in an index, where the planner would rather read the table. */
    override fun hasOpenJobs(): Boolean = database.number(
        "SELECT CASE WHEN EXISTS (SELECT FROM pgboss.job WHERE name = 'bench' AND state IN ('active', 'retry')) OR " +
            "(SELECT min(start_after) FROM pgboss.job WHERE name = 'bench' AND state = 'created' AND NOT blocked) <= now() " +
            "THEN 1 ELSE 0 END",
    ) == 1L

    /** Half finished within the week that it keeps them for, half due in a month. Foreign keys are not looked up for each row. */
    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM pgboss.job WHERE name = 'bench' AND created_on < now() - interval '1 day'")
        val new = "FROM generate_series($there / 2 + 1, $rows / 2) AS n"
        database.run(
            "SET session_replication_role = replica",
            "INSERT INTO pgboss.job (name, data, policy, created_on, start_after, keep_until) SELECT 'bench', '{\"n\": 1}', 'standard', " +
                "now() - interval '2 days', now() + interval '30 days' + n * interval '1 second', now() + interval '90 days' $new",
            "INSERT INTO pgboss.job (name, data, policy, state, created_on, start_after, started_on, completed_on, keep_until) " +
                "SELECT 'bench', '{\"n\": 1}', 'standard', 'completed', now() - interval '2 days', now() - interval '2 days', " +
                "now() - interval '2 days', now() - interval '2 days' + n * interval '1 millisecond', now() + interval '14 days' $new",
        )
    }

    override fun workerCommand(): List<String> = 
        NodePackages.command(SCRIPT, "worker", database, settings.batchSize, settings.workers, settings.pollMillis)

    override fun close() = pool.close()
}
