package io.runledger.micrometer

import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.test.TestLedger
import io.runledger.test.until
import kotlinx.coroutines.delay
import java.sql.SQLException
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicBoolean
import javax.sql.DataSource

/** A ledger where everything happens that a meter counts: failures, a stuck handler, an expired lease, a late schedule, an outage. */
internal class BusyLedger(private val ledger: TestLedger) : AutoCloseable {
    val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)
    val client: RunledgerClient = ledger.client
    private val metrics = WorkerMetrics(registry)
    private val stop = CountDownLatch(1)
    private val isAway = AtomicBoolean()

    private val doing: Handlers = handlers {
        on(mail) { job ->
            delay(job.payload() % 20L)
            when (job.payload() % 23) {
                3 -> JobOutcome.failed(JobFailure.retryable("mail.server_busy", "Busy."))
                7 -> JobOutcome.failed("mail.no_address", "No address.")
                11 -> error("not today")
                13 -> JobOutcome.snooze(Duration.ofHours(1))
                17 -> JobOutcome.canceled("Not wanted.")
                else -> JobOutcome.succeeded()
            }
        }
        on(report) { job -> delay(job.payload().toLong()) }
        blocking(stubborn) {
            while (true) {
                try {
                    stop.await()
                    break
                } catch (ignored: InterruptedException) {
                    continue
                }
            }
            JobOutcome.succeeded()
        }
    }

    private val worker: RunledgerWorker
    private val outOfReach: RunledgerWorker

    init {
        client.definitions.sync(listOf(mail, report, stubborn))
        LedgerMetrics.builder(client).maxAge(Duration.ofMillis(20)).patience(Duration.ofMinutes(1)).build().bindTo(registry)
        val config = WorkerConfig.builder().pollInterval(Duration.ofMillis(20)).maxPollInterval(Duration.ofMillis(200))
            .stopGrace(Duration.ofMillis(100)).shutdownGrace(Duration.ZERO).lease(Duration.ofSeconds(3)).maxConcurrency(8).build()
        worker = RunledgerWorker.builder(client).handlers(doing).config(config).meter(metrics).build()
        val failing = object : DataSource by ledger.dataSource {
            override fun getConnection() =
                if (isAway.get()) throw SQLException("Away.", "08001") else ledger.dataSource.connection
        }
        outOfReach = RunledgerWorker.builder(RunledgerClient.create(failing)).config(config).meter(metrics).build()
    }

    fun scrape(at: Double = 0.0) = Scrape(registry.scrape(), at)

    /** The attempts that have ended so far. */
    fun ended(): Double = registry.find("runledger.job.attempts").counters().sumOf { it.count() }

    fun enqueue(mails: IntRange) {
        client.jobs.enqueueAll(mails.map { JobRequest.builder(mail, it).build() })
        client.jobs.enqueueAll(mails.filter { it % 10 == 0 }.map { JobRequest.builder(report, 20 + it % 50).build() })
    }

    /** What a worker finds when others have died, and when none has run for a while. */
    private fun leaveTraces() {
        client.schedules.upsert(ScheduleRequest.builder("nightly", report.name(), 1).every(Duration.ofHours(1)).build())
        client.workflows.enqueue(WorkflowRequest.builder("order").also { it.externalGate("approval") {} }.build())
        client.workflows.enqueue(
            WorkflowRequest.builder("order").also {
                it.externalGate("approval") { gate -> gate.expiresAfter(Duration.ofHours(1)) }
            }.build(),
        )
        sql(
            "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '10 seconds'",
            "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL",
            """INSERT INTO runledger.job_queue (job_type, payload, max_attempts, status, attempt, lease_id, worker_id, leased_at,
                lease_expires_at, lease_seconds, claim_origin, started_at)
                SELECT 'report', '5', 3, 'LEASED', 1, gen_random_uuid(), 'dead', now() - interval '1 hour', now() - interval '1 minute',
                    60, 'DIRECT', now() - interval '1 hour'""",
        )
    }

    private fun sql(vararg statements: String) = ledger.database.connect().use { connection ->
        connection.createStatement().use { statement -> statements.forEach(statement::execute) }
    }

    /** Runs the workers, calls [during] while they run, and ends them. */
    suspend fun run(during: suspend () -> Unit) {
        leaveTraces()
        client.jobs.enqueue(JobRequest.builder(stubborn, 1).build())
        isAway.set(true)
        worker.start().use {
            outOfReach.start().use {
                during()
                until("the second worker misses its ledger") { scrape().sum("runledger_worker_unavailable") == 1.0 }
                isAway.set(false)
                until("it is back") { scrape().sum("runledger_worker_unavailable") == 0.0 }
                until("a handler is stuck") { scrape().sum("runledger_job_stuck_total", "reason" to "timeout") == 1.0 }
                stop.countDown()
                until("a lease was reaped") { scrape().sum("runledger_lease_reaped_total") == 1.0 }
                until("the schedule has fired") { scrape().sum("runledger_schedule_lateness_seconds_count") == 1.0 }
                until("the gate has expired") { scrape().sum("runledger_gate_expired_total") == 1.0 }
                until("all is done") {
                    client.metrics.fleet().types().sumOf { it.due() + it.running() } == 0L
                }
            }
        }
    }

    override fun close() {
        stop.countDown()
        ledger.close()
    }

    private companion object {
        val mail = JobType.builder(
            "mail",
            Int::class.javaObjectType,
        ).maxAttempts(2).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()
        val report: JobType<Int> = JobType.builder("report", Int::class.javaObjectType)
            .queue("reports").limit("printer") { it.permits(6) }.build()
        val stubborn = JobType.builder(
            "stubborn",
            Int::class.javaObjectType,
        ).timeout(Duration.ofSeconds(1)).maxAttempts(1).build()
    }
}
