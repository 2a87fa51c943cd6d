package io.runledger.exposed

import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.Statement
import java.time.Duration
import java.util.UUID
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

val lease: Duration = Duration.ofMinutes(1)

/** Defines job types by hand, with the table's defaults. */
fun TestLedger.define(vararg types: String): TestLedger = apply {
    types.forEach { run("INSERT INTO runledger.job_definitions (job_type) VALUES ('$it')") }
}

fun TestLedger.enqueue(type: String = "mail", settings: JobRequest.Builder.() -> Unit = {}): EnqueuedJob =
    client.jobs.enqueue(JobRequest.builder(type, Json.EMPTY_OBJECT).apply(settings).build())

fun TestLedger.claim(vararg types: String = arrayOf("mail"), limit: Int = 100, worker: String = "w1"): List<ClaimedJob> =
    client.leases.claim(ClaimRequest.of(types.toList(), worker, lease, limit))

fun TestLedger.settle(job: ClaimedJob, verdict: Verdict): SettledJob =
    client.leases.settle(mapOf(job.lease() to verdict.about(job))).single()

/** The verdict that a policy reaches: without attempts left, a retry is a dead letter. */
fun Verdict.about(job: ClaimedJob): Verdict = when {
    this !is Verdict.Retry || job.lease().attempt() - job.interruptions() < job.maxAttempts() -> this
    else -> Verdict.DeadLetter(failure(), DeadLetterReason.ATTEMPTS_EXHAUSTED)
}

val SettledJob.isReleased: Boolean get() = result() == SettledJob.Result.RELEASED

fun Verdict.Succeed.counting(progress: Progress): Verdict = Verdict.Succeed(output(), contributions(), progress)

fun Verdict.Continue.counting(progress: Progress): Verdict = Verdict.Continue(payload(), checkpoint(), delay(), move(), progress)

/** Moves the job's time, so that no test has to wait for it. */
fun TestLedger.makeDue(id: UUID) = run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$id'")

/** Runs the same work on [threads] threads at the same time. */
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

/** Returns when the server reports that a session of this database waits for a lock, without guessing a time. */
fun TestLedger.awaitLockWait() {
    val deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos()
    val waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while (rows(waiting).isEmpty()) check(System.nanoTime() < deadline) { "No session waits for a lock." }
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
