package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase

/** Uses the indexes, because it runs at the end of every drain: if nothing is due, the planner would read the whole table. */
internal fun BenchDatabase.hasOpenLedgerJobs(): Boolean = number(
    "SELECT CASE WHEN EXISTS (SELECT FROM runledger.job_queue WHERE status = 'LEASED') " +
        "OR (${firstDue("flow_group IS NULL")}) <= now() OR (${firstDue("flow_group IS NOT NULL")}) <= now() THEN 1 ELSE 0 END",
) == 1L

private fun firstDue(which: String) = "SELECT next_run_at FROM runledger.job_queue WHERE status = 'PENDING' AND $which " +
    "AND job_type = 'bench.noop' AND NOT is_paused AND NOT is_delayed AND priority = 100 ORDER BY next_run_at LIMIT 1"

/** Half finished a month ago with their attempts, half due in a month. */
internal fun BenchDatabase.addLedgerHistory(rows: Long) {
    val there = number("SELECT count(*) FROM runledger.job_queue WHERE created_at < now() - interval '20 days'")
    run(
        "INSERT INTO runledger.job_queue (job_type, payload, max_attempts, created_at, next_run_at) " +
            "SELECT 'bench.noop', '{\"n\": 1}', 8, now() - interval '30 days', now() + interval '30 days' + n * interval '1 second' " +
            "FROM generate_series($there / 2 + 1, $rows / 2) AS n",
        "WITH finished AS (" +
            "INSERT INTO runledger.job_queue (job_type, payload, max_attempts, created_at, next_run_at, status, stage, attempt, started_at, " +
            "finished_at) SELECT 'bench.noop', '{\"n\": 1}', 8, now() - interval '30 days', now() - interval '30 days', 'SUCCEEDED', " +
            "'completed', 1, now() - interval '30 days', now() - interval '30 days' + n * interval '1 second' " +
            "FROM generate_series($there / 2 + 1, $rows / 2) AS n RETURNING id, finished_at) " +
            "INSERT INTO runledger.job_attempts (job_id, run_number, attempt, outcome, worker_id, claim_origin, lease_seconds, leased_at, " +
            "started_at, finished_at) SELECT id, 1, 1, 'SUCCEEDED', 'past', 'DIRECT', 60, finished_at, finished_at, finished_at FROM finished",
    )
}

/** Jobs of the last hour: [dead] dead letters with three causes, and [done] that succeeded. */
internal fun BenchDatabase.addRecentWork(dead: Int, done: Int) {
    val columns = "job_type, payload, max_attempts, created_at, next_run_at, status, stage, attempt, started_at, finished_at"
    val attempts = "INSERT INTO runledger.job_attempts (job_id, run_number, attempt, outcome, worker_id, claim_origin, lease_seconds, leased_at, " +
        "started_at, finished_at, error_code, error_message)"
    val age = "now() - n % 3600 * interval '1 second'"
    run(
        "WITH job AS (INSERT INTO runledger.job_queue ($columns, last_error_code, last_error_message) " +
            "SELECT 'bench.noop', '{\"n\": 1}', 8, $age, $age, 'DEAD_LETTERED', 'running', 8, $age, $age, 'bench.down', " +
            "'No answer from host ' || n % 3 || ' after ' || n || ' ms' FROM generate_series(1, $dead) n " +
            "RETURNING id, finished_at, last_error_code, last_error_message), letter AS (" +
            "INSERT INTO runledger.job_dead_letters (job_id, failed_at, attempt, kind, job_type, reason, error_code, error_message, payload_snapshot) " +
            "SELECT id, finished_at, 8, 'RETRYABLE', 'bench.noop', 'ATTEMPTS_EXHAUSTED', last_error_code, last_error_message, '{\"n\": 1}' FROM job) " +
            "$attempts SELECT id, 1, 8, 'RETRYABLE', 'past', 'DIRECT', 60, finished_at, finished_at, finished_at, last_error_code, " +
            "last_error_message FROM job",
        "WITH job AS (INSERT INTO runledger.job_queue ($columns) SELECT 'bench.noop', '{\"n\": 1}', 8, $age, $age, 'SUCCEEDED', 'completed', 1, " +
            "$age, $age FROM generate_series(1, $done) n RETURNING id, finished_at) " +
            "$attempts SELECT id, 1, 1, 'SUCCEEDED', 'past', 'DIRECT', 60, finished_at, finished_at, finished_at, NULL, NULL FROM job",
    )
}
