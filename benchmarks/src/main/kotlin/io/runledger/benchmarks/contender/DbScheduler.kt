package io.runledger.benchmarks.contender

import com.github.kagkarlsson.scheduler.Scheduler
import com.github.kagkarlsson.scheduler.SchedulerClient
import com.github.kagkarlsson.scheduler.SchedulerName
import com.github.kagkarlsson.scheduler.serializer.Serializer
import com.github.kagkarlsson.scheduler.task.SchedulableInstance
import com.github.kagkarlsson.scheduler.task.TaskDescriptor
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask
import com.github.kagkarlsson.scheduler.task.helper.Tasks
import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import java.time.Duration
import java.time.Instant
import java.util.HexFormat
import java.util.UUID

private const val CLIENT_POOL = 8
private const val THREADS = 50
private const val WAITING_THREADS = 200
private const val WORKER_POOL = 20
private const val LOWER = 1.0
private const val UPPER = 4.0
private const val POLL_MILLIS = 100L
private const val CHUNK = 5_000

val DB_SCHEDULER = Entry(
    name = "db-scheduler",
    waitingJobs = 2_000,
    settings = "16.12.0, polling strategy lock-and-fetch with limits $LOWER and $UPPER, $THREADS threads ($WAITING_THREADS where handlers wait), " +
        "polling interval $POLL_MILLIS ms, immediate execution on (of no help to jobs from another process), worker pool $WORKER_POOL, " +
        "scheduleBatch of $CHUNK with reWriteBatchedInserts, payload by the default Java serialization, " +
        "its table for PostgreSQL without the index for priorities, which are off; finished jobs are deleted",
    make = ::DbSchedulerPeer,
)

/** One one-time task, an execution for each job. */
class DbSchedulerPeer(private val database: BenchDatabase) : JvmContender {
    private val pool = lazy { database.rewritingBatches().pool(CLIENT_POOL) }
    private val workerPool = lazy { database.pool(WORKER_POOL) }
    private val client by lazy { SchedulerClient.Builder.create(pool.value, task {}).build() }

    override fun install() = database.run(
        "CREATE TABLE scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL, task_data bytea, " +
            "execution_time timestamp with time zone NOT NULL, picked boolean NOT NULL, picked_by text, " +
            "last_success timestamp with time zone, last_failure timestamp with time zone, consecutive_failures int, " +
            "last_heartbeat timestamp with time zone, version bigint NOT NULL, priority smallint, PRIMARY KEY (task_name, task_instance))",
        "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
        "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)",
    )

    override fun enqueue(payload: String) {
        client.scheduleIfNotExists(instance(payload))
    }

    override fun enqueueAll(count: Int, payload: String) {
        for (left in count downTo 1 step CHUNK) client.scheduleBatch(List(minOf(CHUNK, left)) { instance(payload) })
    }

    private fun instance(payload: String): SchedulableInstance<*> =
        TASK.instance(UUID.randomUUID().toString()).data(payload).scheduledTo(Instant.now())

    override fun prepare() {
        workerPool.value
    }

    override fun start(task: Task): Worker {
        val scheduler = Scheduler.create(workerPool.value, task { task.runOnThread() })
            .schedulerName(SchedulerName.Fixed(UUID.randomUUID().toString()))
            .threads(if (task.waitMillis > 0) WAITING_THREADS else THREADS)
            .pollUsingLockAndFetch(LOWER, UPPER)
            .pollingInterval(Duration.ofMillis(POLL_MILLIS))
            .enableImmediateExecution()
            .build()
        scheduler.start()
        // The scheduler itself is a client whose jobs are executed at once.
        return worker({ scheduler.scheduleIfNotExists(instance(it)) }, close = scheduler::stop)
    }

    private fun task(run: () -> Unit): OneTimeTask<String> = Tasks.oneTime(TASK).execute { instance, _ ->
        checkNotNull(instance.data)
        run()
    }

    override fun hasOpenJobs(): Boolean =
        database.number("SELECT count(*) FROM (SELECT FROM scheduled_tasks WHERE execution_time <= now() ORDER BY execution_time LIMIT 1) AS open") > 0

    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM scheduled_tasks WHERE execution_time > now() + interval '20 days'")
        val data = HexFormat.of().formatHex(Serializer.DEFAULT_JAVA_SERIALIZER.serialize("{\"n\": 1}"))
        database.run(
            "INSERT INTO scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version) " +
                "SELECT '${TASK.taskName}', gen_random_uuid(), '\\x$data', now() + interval '30 days' + n * interval '1 second', false, 1 " +
                "FROM generate_series($there + 1, $rows) AS n",
        )
    }

    override fun workerCommand(): List<String> = jvmWorker(DB_SCHEDULER.name, database)

    override fun close() {
        listOf(pool, workerPool).filter { it.isInitialized() }.forEach { it.value.close() }
    }

    private companion object {
        val TASK: TaskDescriptor<String> = TaskDescriptor.of("bench", String::class.java)
    }
}
