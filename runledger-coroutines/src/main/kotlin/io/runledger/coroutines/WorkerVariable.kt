package io.runledger.coroutines

import io.runledger.model.job.JobStatus
import java.time.Duration

/** The environment variables of a worker's settings, with their ranges. */
internal enum class WorkerVariable(
    val variable: String,
    private val range: LongRange?,
    private val set: WorkerConfig.Builder.(String) -> Unit,
) {
    WORKER_ID("JOBS_WORKER_ID", null, { workerId(it) }),
    LABELS("JOBS_WORKER_LABELS", null, { all -> labels(*all.split(',').map { it.trim() }.toTypedArray()) }),
    QUEUES("JOBS_QUEUES", null, { all -> queues(*all.split(',').map { it.trim() }.toTypedArray()) }),
    APPLICATION_VERSION("JOBS_APPLICATION_VERSION", null, { applicationVersion(it) }),
    MAX_CONCURRENCY("JOBS_MAX_GLOBAL_CONCURRENCY", 1L..Int.MAX_VALUE, { maxConcurrency(it.toInt()) }),
    CLAIM_BATCH_SIZE("JOBS_CLAIM_BATCH_SIZE", 1L..1_000, { claimBatchSize(it.toInt()) }),
    LEASE("JOBS_LEASE_TTL_SECONDS", 10L..Int.MAX_VALUE, { lease(Duration.ofSeconds(it.toLong())) }),
    POLL_INTERVAL("JOBS_POLL_INTERVAL_MS", 1L..MAX, { pollInterval(Duration.ofMillis(it.toLong())) }),
    MAX_POLL_INTERVAL("JOBS_MAX_POLL_INTERVAL_MS", 1L..MAX, { maxPollInterval(Duration.ofMillis(it.toLong())) }),
    SHUTDOWN_GRACE("JOBS_SHUTDOWN_GRACE_SECONDS", 0L..MAX, { shutdownGrace(Duration.ofSeconds(it.toLong())) }),
    SCHEDULER_INTERVAL(
        "JOBS_SCHEDULE_POLL_INTERVAL_SECONDS",
        1L..MAX,
        { schedulerInterval(Duration.ofSeconds(it.toLong())) },
    ),
    REAPER_INTERVAL("JOBS_REAPER_INTERVAL_SECONDS", 1L..MAX, { reaperInterval(Duration.ofSeconds(it.toLong())) }),
    REAPER_RETRY_DELAY("JOBS_REAPER_RETRY_DELAY_MS", 1_000L..MAX, { reaperRetryDelay(Duration.ofMillis(it.toLong())) }),
    BEAT_INTERVAL("JOBS_BEAT_INTERVAL_SECONDS", 1L..86_400, { beatInterval(Duration.ofSeconds(it.toLong())) }),

    // Before the ages, so that ages that are set still apply.
    KEEP_EVERYTHING("JOBS_KEEP_EVERYTHING", null, { if (yes(it)) keepEverything() }),
    RETENTION(
        "JOBS_RETENTION_DAYS",
        1L..36_500,
        { days -> listOf(JobStatus.SUCCEEDED, JobStatus.CANCELED).forEach { retention(it, Duration.ofDays(days.toLong())) } },
    ),
    FIRE_RETENTION("JOBS_FIRE_RETENTION_DAYS", 1L..36_500, { fireRetention(Duration.ofDays(it.toLong())) }),
    RUN_RETENTION("JOBS_RUN_RETENTION_DAYS", 1L..36_500, { runRetention(Duration.ofDays(it.toLong())) }),
    ;

    fun read(environment: Map<String, String>, builder: WorkerConfig.Builder) {
        val text = environment[variable]?.trim().orEmpty()
        if (text.isEmpty()) return
        try {
            builder.set(if (range == null) text else number(text).coerceIn(range).toString())
        } catch (refused: RuntimeException) {
            throw IllegalArgumentException("The environment variable $variable cannot be used: ${refused.message}", refused)
        }
    }

    private fun number(text: String): Long = requireNotNull(text.toLongOrNull()) { "'$text' is not a whole number." }
}

private fun yes(text: String): Boolean =
    requireNotNull(text.lowercase().toBooleanStrictOrNull()) { "'$text' is neither true nor false." }

/** Thirty years in milliseconds. A larger value is a mistake; this limit also prevents overflow. */
private const val MAX = 1_000_000_000_000L
