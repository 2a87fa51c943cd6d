package io.runledger.benchmarks.contender

import com.zaxxer.hikari.HikariDataSource
import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import org.quartz.Job
import org.quartz.JobBuilder
import org.quartz.JobExecutionContext
import org.quartz.Scheduler
import org.quartz.SimpleScheduleBuilder
import org.quartz.Trigger
import org.quartz.TriggerBuilder
import org.quartz.impl.StdSchedulerFactory
import org.quartz.impl.jdbcjobstore.JobStoreTX
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate
import org.quartz.simpl.SimpleThreadPool
import org.quartz.utils.ConnectionProvider
import org.quartz.utils.DBConnectionManager
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.Date
import java.util.Properties
import java.util.UUID

private const val CLIENT_POOL = 8
private const val THREADS = 25
private const val WAITING_THREADS = 200
private const val SPARE_CONNECTIONS = 3
private const val IDLE_WAIT_MILLIS = 1_000
private const val CHUNK = 1_000

val QUARTZ = Entry(
    name = "quartz",
    isSlow = true,
    waitingJobs = 2_000,
    settings = "2.5.2, JobStoreTX with PostgreSQLDelegate, clustered (as workers and enqueuer are processes of their own), " +
        "$THREADS threads ($WAITING_THREADS where handlers wait), batchTriggerAcquisitionMaxCount as many, acquireTriggersWithinLock, " +
        "pool of threads + $SPARE_CONNECTIONS, idleWaitTime $IDLE_WAIT_MILLIS ms, the smallest it takes, useProperties, one durable job " +
        "with a trigger for each run, payload in the trigger, misfires ignored, bulk by scheduleJobs of $CHUNK; finished triggers are deleted",
    make = ::QuartzPeer,
)

/** One durable job, a trigger for each time it is to run. */
class QuartzPeer(private val database: BenchDatabase) : JvmContender {
    private val name = database.jdbcUrl.substringAfterLast('/')
    private val client = lazy { scheduler(threads = 1, connections = CLIENT_POOL) }

    override fun install() {
        val script = checkNotNull(JobStoreTX::class.java.getResource("tables_postgres.sql")).readText()
        database.run(script.replace("COMMIT;", ""))
        client.value.addJob(JOB, true)
    }

    override fun enqueue(payload: String) {
        client.value.scheduleJob(trigger(payload))
    }

    override fun enqueueAll(count: Int, payload: String) {
        for (left in count downTo 1 step CHUNK) {
            client.value.scheduleJobs(mapOf(JOB to List(minOf(CHUNK, left)) { trigger(payload) }.toSet()), true)
        }
    }

    private fun trigger(payload: String, name: String = UUID.randomUUID().toString(), at: Instant = Instant.now()): Trigger = TriggerBuilder.newTrigger()
        .withIdentity(name)
        .startAt(Date.from(at))
        .forJob(JOB)
        .usingJobData(QuartzJob.PAYLOAD, payload)
        .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
        .build()

    override fun start(task: Task): Worker {
        val threads = if (task.waitMillis > 0) WAITING_THREADS else THREADS
        val scheduler = scheduler(threads, threads + SPARE_CONNECTIONS)
        scheduler.setJobFactory { _, _ -> QuartzJob(task) }
        scheduler.start()
        return worker({ scheduler.scheduleJob(trigger(it)) }) { scheduler.shutdown(true) }
    }

    private fun scheduler(threads: Int, connections: Int): Scheduler {
        DBConnectionManager.getInstance().addConnectionProvider(name, PooledConnections(database.pool(connections)))
        val settings = mapOf(
            "scheduler.instanceName" to name,
            "scheduler.instanceId" to "AUTO",
            "scheduler.idleWaitTime" to IDLE_WAIT_MILLIS,
            "scheduler.batchTriggerAcquisitionMaxCount" to threads,
            "threadPool.class" to SimpleThreadPool::class.java.name,
            "threadPool.threadCount" to threads,
            "jobStore.class" to JobStoreTX::class.java.name,
            "jobStore.driverDelegateClass" to PostgreSQLDelegate::class.java.name,
            "jobStore.dataSource" to name,
            "jobStore.isClustered" to true,
            "jobStore.acquireTriggersWithinLock" to true,
            "jobStore.useProperties" to true,
        )
        val properties = Properties()
        settings.forEach { (key, value) -> properties["org.quartz.$key"] = value.toString() }
        return StdSchedulerFactory(properties).scheduler
    }

    override fun hasOpenJobs(): Boolean = database.number(
        "SELECT count(*) FROM ((SELECT FROM qrtz_fired_triggers LIMIT 1) UNION ALL (SELECT FROM qrtz_triggers WHERE sched_name = '$name' " +
            "AND next_fire_time <= extract(epoch FROM now()) * 1000 ORDER BY next_fire_time LIMIT 1)) AS open",
    ) > 0

    /** Copies of a trigger that it wrote itself; it keeps none that has fired. */
    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM qrtz_triggers WHERE trigger_name LIKE '$SAMPLE%'")
        val due = Instant.now() + Duration.ofDays(HISTORY_DAYS)
        if (there == 0L) client.value.scheduleJob(trigger("{\"n\": 1}", SAMPLE, due))
        database.run(
            // The copies refer to what the original does: nothing to check.
            "SET session_replication_role = replica",
            "WITH sample AS MATERIALIZED (SELECT * FROM qrtz_triggers WHERE trigger_name = '$SAMPLE') " +
                "INSERT INTO qrtz_triggers (sched_name, trigger_name, trigger_group, job_name, job_group, next_fire_time, prev_fire_time, priority, " +
                "trigger_state, trigger_type, start_time, end_time, misfire_instr, job_data) SELECT sched_name, '$SAMPLE-' || n, trigger_group, " +
                "job_name, job_group, ${due.toEpochMilli()} + n * 1000, prev_fire_time, priority, trigger_state, trigger_type, " +
                "${due.toEpochMilli()} + n * 1000, end_time, misfire_instr, job_data " +
                "FROM sample, generate_series($there + 1, $rows) AS n",
            "WITH sample AS MATERIALIZED (SELECT * FROM qrtz_simple_triggers WHERE trigger_name = '$SAMPLE') " +
                "INSERT INTO qrtz_simple_triggers SELECT sched_name, '$SAMPLE-' || n, trigger_group, repeat_count, repeat_interval, times_triggered " +
                "FROM sample, generate_series($there + 1, $rows) AS n",
        )
    }

    override fun workerCommand(): List<String> = jvmWorker(QUARTZ.name, database)

    override fun close() {
        if (client.isInitialized()) client.value.shutdown()
    }

    private companion object {
        const val SAMPLE = "history"
        const val HISTORY_DAYS = 30L
        val JOB = JobBuilder.newJob(QuartzJob::class.java).withIdentity("bench").storeDurably().build()
    }
}

/** Does the task each time that it is triggered. */
class QuartzJob(private val task: Task) : Job {
    override fun execute(context: JobExecutionContext) {
        checkNotNull(context.mergedJobDataMap.getString(PAYLOAD))
        task.runOnThread()
    }

    companion object {
        const val PAYLOAD = "payload"
    }
}

private class PooledConnections(private val pool: HikariDataSource) : ConnectionProvider {
    override fun initialize() = Unit

    override fun getConnection(): Connection = pool.connection

    override fun shutdown() = pool.close()
}
