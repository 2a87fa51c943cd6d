package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.test.until
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.availability.ApplicationAvailability
import org.springframework.boot.availability.AvailabilityChangeEvent
import org.springframework.boot.availability.ReadinessState
import org.springframework.context.SmartLifecycle
import org.springframework.context.annotation.Bean
import org.springframework.context.event.EventListener
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.transaction.support.TransactionOperations
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource
import kotlin.concurrent.thread

private val count = JobType.of("count", Int::class.javaObjectType)
private val hold = JobType.of("hold", String::class.java)

/** Outlives the application, so that a test sees what happened while it was closed. */
private object Log {
    val events = ConcurrentLinkedQueue<String>()
    val begun = CountDownLatches()
}

private class CountDownLatches {
    @Volatile
    var latch = CountDownLatch(1)
}

@SpringBootConfiguration(proxyBeanMethods = false)
class CountingApplication {
    /** Writes a row per job with the application's own pool, so a pool that closes too early fails the job. */
    @Bean
    fun counting(jdbc: JdbcTemplate): Handlers = Handlers.builder().blocking(count) { job ->
        jdbc.update("INSERT INTO counted VALUES (?)", job.payload())
        JobOutcome.succeeded()
    }.build()
}

/**
 * A handler that works until the worker drains ("readiness"), or until a later phase of the shutdown ("phase"), and then uses the
 * pool once more.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
class HoldingApplication(@param:Value("\${release}") private val release: String) {
    private val released = CountDownLatch(1)

    @Bean
    fun holding(jdbc: JdbcTemplate): Handlers = Handlers.builder().blocking(hold) { job ->
        Log.events += "begun"
        Log.begun.latch.countDown()
        released.await()
        jdbc.update("INSERT INTO counted VALUES (1)")
        Log.events += "ended"
        JobOutcome.succeeded(job.payload())
    }.build()

    @EventListener
    fun readiness(event: AvailabilityChangeEvent<ReadinessState>) {
        if (event.state == ReadinessState.REFUSING_TRAFFIC) reached("readiness")
    }

    /** Stops after the worker's phase, or after its time limit. */
    @Bean
    fun laterPhase() = object : SmartLifecycle {
        private var isRunning = false

        override fun start() {
            isRunning = true
        }

        override fun stop() {
            isRunning = false
            reached("phase")
        }

        override fun isRunning() = isRunning

        override fun getPhase() = 0
    }

    private fun reached(event: String) {
        Log.events += event
        if (event == release) released.countDown()
    }
}

private val handled = ConcurrentHashMap<String, AtomicInteger>()

/** Two ledgers in one database, each with its worker. */
@SpringBootConfiguration(proxyBeanMethods = false)
class TwoLedgers {
    @Bean
    fun mainHandlers(): Handlers = handlers("main")

    @Bean(defaultCandidate = false)
    @Qualifier("audit")
    fun auditClient(dataSource: DataSource): RunledgerClient =
        RunledgerClient.builder(dataSource).schema("audit").joinCurrentTransaction(SpringTransaction(dataSource)).build()
            .also { it.migrate() }

    @Bean(defaultCandidate = false)
    @Qualifier("audit")
    fun auditHandlers(): Handlers = handlers("audit")

    @Bean
    fun auditWorker(@Qualifier("audit") client: RunledgerClient, @Qualifier("audit") handlers: Handlers) =
        RunledgerWorkerLifecycle {
            client.definitions.sync(handlers.jobTypes)
            RunledgerWorker.builder(client).handlers(handlers)
        }

    private fun handlers(ledger: String) = Handlers.builder().blocking(count) {
        handled.computeIfAbsent(ledger) { AtomicInteger() }.incrementAndGet()
        JobOutcome.succeeded()
    }.build()
}

class LifecycleSpec :
    FunSpec({
        fun database() = freshDatabase().also { it.run("CREATE TABLE counted (number int)") }

        test("an application that starts and stops under load loses no job and repeats none") {
            val database = database()
            val producer = RunledgerClient.create(database.dataSource()).also { it.migrate() }
            producer.definitions.declare(count)
            val jobs = 600
            val load = thread {
                repeat(jobs) { producer.jobs.enqueue(count, it) }
            }

            repeat(4) {
                application(database, beans = listOf(CountingApplication::class)).use { app ->
                    val before = database.value("SELECT count(*) FROM counted").toInt()
                    until("the application has worked") {
                        database.value("SELECT count(*) FROM counted").toInt() > before || !load.isAlive
                    }
                    app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe true
                }
            }
            load.join()
            application(database, beans = listOf(CountingApplication::class)).use {
                until("all jobs have ended") {
                    database.value("SELECT count(*) FROM runledger.job_queue WHERE status <> 'SUCCEEDED'") == "0"
                }
            }

            database.rows("SELECT number FROM counted").map { it.toInt() }.sorted() shouldBe (0 until jobs).toList()
            producer.verify().isSound shouldBe true
            // Jobs that a worker had claimed when it stopped are released without spending an attempt.
            (database.rows("SELECT DISTINCT outcome FROM runledger.job_attempts") - "INTERRUPTED") shouldBe listOf("SUCCEEDED")
        }

        test("the worker drains before the pool is closed, also if the phase of the shutdown takes too long") {
            listOf("30s" to "readiness", "1ms" to "phase").forEach { (phase, release) ->
                val database = database()
                Log.events.clear()
                Log.begun.latch = CountDownLatch(1)

                val app = application(
                    database,
                    "spring.lifecycle.timeout-per-shutdown-phase=$phase",
                    "release=$release",
                    beans = listOf(HoldingApplication::class),
                )
                val id = app.client.jobs.enqueue(hold, "done").id()
                Log.begun.latch.await()
                app.close()

                RunledgerClient.create(database.dataSource()).jobs.get(Scope.everything(), id).output().toString() shouldBe
                    "\"done\""
                database.value("SELECT count(*) FROM counted") shouldBe "1"
                Log.events.filter { it != "readiness" || release == it }.distinct() shouldContainExactly
                    if (release == "phase") listOf("begun", "phase", "ended") else listOf("begun", "readiness", "ended", "phase")
            }
        }

        test("readiness follows the worker") {
            val database = database()

            application(database, beans = listOf(CountingApplication::class)).use { app ->
                val availability = app.bean<ApplicationAvailability>()
                availability.readinessState shouldBe ReadinessState.ACCEPTING_TRAFFIC
                until("the worker is registered") { app.client.workers.list().size == 1 }
                app.client.workers.stop(WorkerSelection.all(), "a test")
                until("traffic is refused") { availability.readinessState == ReadinessState.REFUSING_TRAFFIC }
                app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe false
            }
            application(database, "runledger.worker.readiness=false", beans = listOf(CountingApplication::class)).use { app ->
                until("the worker is registered") { app.client.workers.list().size == 1 }
                app.client.workers.stop(WorkerSelection.all(), "a test")
                until("the worker has ended") { !app.bean<RunledgerWorkerLifecycle>().isRunning }
                app.bean<ApplicationAvailability>().readinessState shouldBe ReadinessState.ACCEPTING_TRAFFIC
            }
        }

        test("with lazy initialization the worker starts, and is started again after a stop of the context") {
            val database = database()

            application(database, "spring.main.lazy-initialization=true", beans = listOf(CountingApplication::class)).use { app ->
                app.client.jobs.enqueue(count, 1)
                until("the job has run") { database.rows("SELECT number FROM counted") == listOf("1") }
                app.stop()
                app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe false
                app.client.workers.list().shouldBeEmpty()
                app.client.jobs.enqueue(count, 2)
                app.start()
                until("the next job has run") { database.rows("SELECT number FROM counted").sorted() == listOf("1", "2") }
            }
        }

        test("a context is closed and started again in one JVM, as devtools does") {
            val database = database()

            repeat(3) { round ->
                application(database, beans = listOf(CountingApplication::class)).use { app ->
                    app.client.jobs.enqueue(count, round)
                    until("the job has run") { database.rows("SELECT number FROM counted").size == round + 1 }
                }
                RunledgerClient.create(database.dataSource()).workers.list().shouldBeEmpty()
            }
            Thread.getAllStackTraces().keys.filter { it.isAlive && !it.isDaemon && "runledger" in it.name }.shouldBeEmpty()
        }

        test("a second ledger has its own client, handlers and worker, and both join Spring's transactions") {
            val database = database()
            handled.clear()

            application(database, beans = listOf(TwoLedgers::class)).use { app ->
                val audit = app.getBean("auditClient", RunledgerClient::class.java)
                app.client.schema shouldBe "runledger"
                val transaction = app.bean<TransactionOperations>()
                transaction.executeWithoutResult {
                    app.client.jobs.enqueue(count, 1)
                    audit.jobs.enqueue(count, 2)
                    it.setRollbackOnly()
                }
                app.client.jobs.enqueue(count, 1)
                audit.jobs.enqueue(count, 2)
                until("both jobs have run") { handled.values.sumOf { it.get() } == 2 }
            }

            handled.mapValues { it.value.get() } shouldBe mapOf("main" to 1, "audit" to 1)
        }
    })
