package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import org.jobrunr.jobs.Job
import org.jobrunr.jobs.JobDetails
import org.jobrunr.jobs.lambdas.JobRequest
import org.jobrunr.jobs.lambdas.JobRequestHandler
import org.jobrunr.jobs.mappers.JobMapper
import org.jobrunr.jobs.states.JobState
import org.jobrunr.jobs.states.ScheduledState
import org.jobrunr.jobs.states.SucceededState
import org.jobrunr.scheduling.JobRequestScheduler
import org.jobrunr.server.BackgroundJobServer
import org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration
import org.jobrunr.server.JobActivator
import org.jobrunr.storage.JobRunrMetadata
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider
import org.jobrunr.utils.mapper.JsonMapper
import org.jobrunr.utils.mapper.JsonMapperFactory
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.stream.Stream
import javax.sql.DataSource

private const val CLIENT_POOL = 8
private const val WORKERS = 16
private const val WAITING_WORKERS = 200
private const val WORKER_POOL = 20
private const val POLL_SECONDS = 5L

val JOBRUNR = Entry(
    name = "jobrunr",
    isSlow = true,
    waitingJobs = 2_000,
    settings = "8.7.0 (open source), PostgresStorageProvider, $WORKERS workers ($WAITING_WORKERS where handlers wait), poll interval $POLL_SECONDS s, " +
        "the smallest it takes, worker pool $WORKER_POOL, JobRequest and handler, Jackson, bulk by enqueue of a stream with reWriteBatchedInserts, " +
        "no dashboard, the rest as it comes; finished jobs of the history are a day old, as it deletes them after 36 hours",
    make = ::JobRunrPeer,
)

/** One handler, a request for each job. */
class JobRunrPeer(private val database: BenchDatabase) : JvmContender {
    private val pool = lazy { database.rewritingBatches().pool(CLIENT_POOL) }
    private val scheduler by lazy { JobRequestScheduler(storage(pool.value)) }

    /** Also records, as its first worker would, that no jobs of an old version exist, so that the history is not migrated. */
    override fun install() = storage(pool.value).use { it.saveMetadata(JobRunrMetadata("database_version", "cluster", "6.0.0")) }

    private fun storage(connections: DataSource) = PostgresStorageProvider(connections).also { it.setJobMapper(JobMapper(JSON)) }

    override fun enqueue(payload: String) {
        scheduler.enqueue(JobRunrRequest(payload))
    }

    override fun enqueueAll(count: Int, payload: String) = scheduler.enqueue(Stream.generate { JobRunrRequest(payload) }.limit(count.toLong()))

    override fun start(task: Task): Worker {
        val connections = database.pool(WORKER_POOL)
        val storage = storage(connections)
        val configuration = usingStandardBackgroundJobServerConfiguration()
            .andWorkerCount(if (task.waitMillis > 0) WAITING_WORKERS else WORKERS)
            .andPollInterval(Duration.ofSeconds(POLL_SECONDS))
        val server = BackgroundJobServer(storage, JSON, JobRunrActivator(JobRunrHandler(task)), configuration)
        server.start()
        return worker(::enqueue) {
            server.stop()
            storage.close()
            connections.close()
        }
    }

    override fun hasOpenJobs(): Boolean = database.number(
        "SELECT count(*) FROM ((SELECT FROM jobrunr_jobs WHERE state = 'ENQUEUED' ORDER BY updatedAt LIMIT 1) " +
            "UNION ALL (SELECT FROM jobrunr_jobs WHERE state = 'PROCESSING' ORDER BY updatedAt LIMIT 1)) AS open",
    ) > 0

    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM jobrunr_jobs WHERE createdAt < now() - interval '20 hours'")
        fun insert(state: JobState, ended: String, due: String): String {
            val job = Job(UUID.randomUUID(), 1, JobDetails(JobRunrRequest("{\"n\": 1}")), listOf(state), ConcurrentHashMap())
            return "INSERT INTO jobrunr_jobs (id, version, jobAsJson, jobSignature, state, createdAt, updatedAt, scheduledAt) " +
                "SELECT id, 1, replace('${JobMapper(JSON).serializeJob(job)}', '${job.id}', id), '${job.jobSignature}', '${state.name}', " +
                "now() - interval '1 day', $ended, $due " +
                "FROM (SELECT gen_random_uuid()::text AS id, n FROM generate_series($there / 2 + 1, $rows / 2) AS n) AS past"
        }
        database.run(
            insert(SucceededState(Duration.ZERO, Duration.ZERO), "now() - interval '1 day' + n * interval '1 millisecond'", "NULL"),
            insert(ScheduledState(Instant.now() + MONTH), "now() - interval '1 day'", "now() + interval '30 days' + n * interval '1 second'"),
        )
    }

    override fun workerCommand(): List<String> = jvmWorker(JOBRUNR.name, database)

    override fun close() {
        if (pool.isInitialized()) pool.value.close()
    }

    private companion object {
        val MONTH: Duration = Duration.ofDays(30)
        val JSON: JsonMapper = JsonMapperFactory.createJsonMapper()
    }
}

/** The stored data of a job. */
class JobRunrRequest(var payload: String = "") : JobRequest {
    override fun getJobRequestHandler(): Class<JobRunrHandler> = JobRunrHandler::class.java
}

/** Does the task for each request. */
class JobRunrHandler(private val task: Task) : JobRequestHandler<JobRunrRequest> {
    override fun run(request: JobRunrRequest) {
        check(request.payload.isNotEmpty())
        task.runOnThread()
    }
}

private class JobRunrActivator(private val handler: JobRunrHandler) : JobActivator {
    override fun <T> activateJob(type: Class<T>): T = type.cast(handler)
}
