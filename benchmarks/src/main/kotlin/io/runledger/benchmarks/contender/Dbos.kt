package io.runledger.benchmarks.contender

import dev.dbos.transact.DBOS
import dev.dbos.transact.DBOSClient
import dev.dbos.transact.StartWorkflowOptions
import dev.dbos.transact.config.DBOSConfig
import dev.dbos.transact.execution.ThrowingRunnable
import dev.dbos.transact.workflow.Queue
import dev.dbos.transact.workflow.Workflow
import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.worker.jvmWorker
import java.time.Duration
import javax.sql.DataSource
import kotlin.concurrent.thread

private const val CLIENT_POOL = 8
private const val WORKER_POOL = 20
private const val CONCURRENCY = 1_000
private const val WAITING_CONCURRENCY = 200
private const val POLL_MILLIS = 100L

val DBOS_TRANSACT = Entry(
    name = "dbos",
    isSlow = true,
    chainLinks = 20,
    waitingJobs = 2_000,
    settings = "1.1.0-m6, one queue with a worker concurrency of $CONCURRENCY ($WAITING_CONCURRENCY where handlers wait) and a polling interval of " +
        "$POLL_MILLIS ms, worker pool $WORKER_POOL, enqueued by DBOSClient, which has no bulk: $CLIENT_POOL threads, workflow of no steps; a workflow of many steps is one " +
        "that waits for workflows on the queue where steps run side by side, and runs steps itself where they are a chain",
    make = ::DbosPeer,
)

/** One queue, a workflow for each job. */
class DbosPeer(private val database: BenchDatabase) : JvmContender {
    private val pool = lazy { database.pool(CLIENT_POOL) }
    private val client = lazy { DBOSClient(pool.value) }

    override fun install() {
        DBOS(configuration(pool.value)).use { it.launch() }
    }

    private fun configuration(connections: DataSource): DBOSConfig =
        DBOSConfig.defaults("bench").withDataSource(connections).withAppVersion(VERSION).withExecutorId("bench-${ProcessHandle.current().pid()}")

    override fun enqueue(payload: String) {
        client.value.enqueueWorkflow<Unit, Exception>(ENQUEUE, arrayOf(payload))
    }

    override fun enqueueAll(count: Int, payload: String) {
        List(CLIENT_POOL) { n -> thread { repeat((count + n) / CLIENT_POOL) { enqueue(payload) } } }.forEach { it.join() }
    }

    override fun start(task: Task): Worker {
        val connections = database.pool(WORKER_POOL)
        val dbos = DBOS(configuration(connections))
        dbos.registerQueue(
            Queue(QUEUE)
                .withWorkerConcurrency(if (task.waitMillis > 0) WAITING_CONCURRENCY else CONCURRENCY)
                .withPollingInterval(Duration.ofMillis(POLL_MILLIS)),
        )
        val work = dbos.registerProxy(DbosWork::class.java, DbosWorkflow(task))
        val flows = dbos.registerProxy(DbosFlows::class.java, DbosFlowWorkflows(dbos, work, task))
        dbos.launch()
        return worker(::enqueue, flowsOf(dbos, flows)) {
            dbos.shutdown()
            connections.close()
        }
    }

    private fun flowsOf(dbos: DBOS, flows: DbosFlows) = object : Flows {
        override fun fan(width: Int) {
            dbos.startWorkflow(ThrowingRunnable<Exception> { flows.fan(width) }).getResult()
        }

        override fun chain(length: Int) {
            dbos.startWorkflow(ThrowingRunnable<Exception> { flows.chain(length) }).getResult()
        }
    }

    override fun hasOpenJobs(): Boolean = database.number(
        "SELECT count(*) FROM (SELECT FROM dbos.workflow_status WHERE queue_name = '$QUEUE' AND status IN ('ENQUEUED', 'PENDING') " +
            "ORDER BY queue_name, status, priority, created_at LIMIT 1) AS open",
    ) > 0

    /** Copies of a delayed workflow that it wrote itself. */
    override val history = { rows: Long ->
        val there = database.number("SELECT count(*) FROM dbos.workflow_status WHERE created_at < extract(epoch FROM now() - interval '20 days') * 1000")
        val sample = ENQUEUE.withWorkflowId(SAMPLE).withDelay(Duration.ofMillis(MONTH))
        client.value.enqueueWorkflow<Unit, Exception>(sample, arrayOf("{\"n\": 1}"))
        val kept = "inputs, name, class_name, config_name, queue_name, priority, executor_id, application_version, application_id, " +
            "recovery_attempts, serialization"
        val range = "FROM dbos.workflow_status, generate_series($there / 2 + 1, $rows / 2) AS n WHERE workflow_uuid = '$SAMPLE'"
        database.run(
            "INSERT INTO dbos.workflow_status ($kept, workflow_uuid, status, created_at, updated_at, delay_until_epoch_ms) " +
                "SELECT $kept, gen_random_uuid(), status, created_at - $MONTH, updated_at - $MONTH, delay_until_epoch_ms + n * 1000 $range",
            "INSERT INTO dbos.workflow_status ($kept, workflow_uuid, status, created_at, updated_at, started_at_epoch_ms, completed_at) " +
                "SELECT $kept, gen_random_uuid(), 'SUCCESS', created_at - $MONTH, updated_at - $MONTH, created_at - $MONTH + n, created_at - $MONTH + n $range",
        )
    }

    override fun workerCommand(): List<String> = jvmWorker(DBOS_TRANSACT.name, database)

    override fun close() {
        if (client.isInitialized()) client.value.close()
        if (pool.isInitialized()) pool.value.close()
    }

    internal companion object {
        const val QUEUE = "bench"
        const val VERSION = "1"
        const val SAMPLE = "history"
        const val MONTH = 2_592_000_000
        val ENQUEUE: DBOSClient.EnqueueOptions =
            DBOSClient.EnqueueOptions("work", QUEUE).withClassName(DbosWorkflow::class.java.name).withAppVersion(VERSION)
    }
}

/** The interface that DBOS wraps in a proxy. */
interface DbosWork {
    fun work(payload: String)
}

/** Does the task for each workflow. */
class DbosWorkflow(private val task: Task) : DbosWork {
    @Workflow(name = "work")
    override fun work(payload: String) {
        check(payload.isNotEmpty())
        task.runOnThread()
    }
}

/** What DBOS makes a proxy of. */
interface DbosFlows {
    fun fan(width: Int)

    fun chain(length: Int)
}

/** The shapes of workflows in the way of DBOS: code that waits for other workflows and runs steps. */
class DbosFlowWorkflows(private val dbos: DBOS, private val work: DbosWork, private val task: Task) : DbosFlows {
    @Workflow(name = "fan")
    override fun fan(width: Int) {
        step("first")
        val options = StartWorkflowOptions().withQueue(DbosPeer.QUEUE)
        List(width) { dbos.startWorkflow(ThrowingRunnable<Exception> { work.work("{}") }, options) }.forEach { it.getResult() }
        step("last")
    }

    @Workflow(name = "chain")
    override fun chain(length: Int) = repeat(length) { step("link-$it") }

    private fun step(name: String) = dbos.runStep(ThrowingRunnable<Exception> { task.runOnThread() }, name)
}
