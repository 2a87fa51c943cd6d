package io.runledger.exposed

import io.runledger.model.json.Json
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.EnqueuedJob
import io.runledger.model.state.SettledJob
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.Statement
import java.time.Duration
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

val lease: Duration = Duration.ofMinutes(1)

/** Defines job types by hand, with the table's defaults. */
fun TestLedger.define(vararg types: String) =
    types.forEach { run("INSERT INTO runledger.job_definitions (job_type) VALUES ('$it')") }

fun TestLedger.enqueue(type: String = "mail", settings: JobRequest.Builder.() -> Unit = {}): EnqueuedJob =
    client.jobs.enqueue(JobRequest.builder(type, Json.EMPTY_OBJECT).apply(settings).build())

fun TestLedger.claim(vararg types: String = arrayOf("mail"), limit: Int = 100, worker: String = "w1"): List<ClaimedJob> =
    client.leases.claim(ClaimRequest.of(types.toList(), worker, lease, limit))

fun TestLedger.settle(job: ClaimedJob, verdict: Verdict): SettledJob =
    client.leases.settle(listOf(SettleRequest.of(job.lease(), verdict))).single()

/** Runs the same thing on [threads] threads at the same moment. */
fun <T> racing(threads: Int, work: (Int) -> T): List<T> {
    val start = CyclicBarrier(threads)
    val pool = Executors.newFixedThreadPool(threads)
    return try {
        pool.invokeAll(
            List(threads) { thread ->
                Callable {
                    start.await()
                    work(thread)
                }
            },
        ).map { it.get() }
    } finally {
        pool.shutdownNow()
    }
}

/** Returns when some session of this database waits for a lock: the server says so, no time is guessed. */
fun TestLedger.awaitLockWait() {
    while (value("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") ==
        "0"
    ) {
        Thread.onSpinWait()
    }
}

/** Counts the statements sent through it, leaving out BEGIN, COMMIT and the like, which the driver sends by itself. */
class CountingDataSource(private val real: DataSource) {
    private val sent = AtomicInteger()

    val dataSource: DataSource = wrap(real, DataSource::class.java)

    fun count(work: () -> Unit): Int {
        sent.set(0)
        work()
        return sent.get()
    }

    private fun <T : Any> wrap(target: T, type: Class<T>): T = type.cast(
        Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, arguments ->
            if (target is Statement && method.name.startsWith("execute")) sent.incrementAndGet()
            val result = try {
                method.invoke(target, *(arguments ?: emptyArray()))
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            when {
                result is Connection && target !is Statement -> wrap(result, Connection::class.java)
                result is java.sql.PreparedStatement -> wrap(result, java.sql.PreparedStatement::class.java)
                result is Statement -> wrap(result, Statement::class.java)
                else -> result
            }
        },
    )
}
