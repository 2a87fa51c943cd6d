package io.runledger.coroutines.crash

import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.core.test.TestScope
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.awaitRunResult
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.working
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.signal.Signals
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.run.GateCompletion
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import org.slf4j.LoggerFactory
import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

private data class Area(val name: String)

private val sweep = JobType.of("sweep", Area::class.java)
private val hello = JobType.of("hello", String::class.java)
private val stumble = JobType.builder("stumble", String::class.java).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()

class PgBouncerSpec :
    FunSpec({
        if (PgBouncer.program == null) println("PgBouncerSpec is skipped: the program pgbouncer is not installed.")

        fun pooled(name: String, mode: String = "transaction", test: suspend TestScope.(TestLedger, PgBouncer) -> Unit) {
            test(name).config(
                enabledOrReasonIf = {
                    if (PgBouncer.program !=
                        null
                    ) {
                        Enabled.enabled
                    } else {
                        Enabled.disabled("The program pgbouncer is not installed.")
                    }
                },
            ) {
                val ledger = freshLedger()
                ledger.define(hello, stumble, sweep, wait, charge)
                PgBouncer(ledger.database, mode).use { test(ledger, it) }
            }
        }

        /** Runs one job of every kind with a worker of [client]. */
        suspend fun TestLedger.doEverything(client: RunledgerClient, pooler: PgBouncer) {
            run("CREATE TABLE payments (amount int NOT NULL)")
            val everything = Scope.everything()
            client.requireCompatibleSchema()
            client.jobs.enqueueAll(List(50) { JobRequest.of(hello, "$it") })
            client.jobs.enqueueAll(List(50) { JobRequest.of(charge, it) })
            val stumbling = client.jobs.enqueue(stumble, "").id()
            val endless = client.jobs.enqueue(wait, "").id()
            client.schedules.upsert(
                ScheduleRequest.builder("nightly", sweep, Area("cellar")).cron("@daily").firstFireAt(Instant.EPOCH).build(),
            )
            val graph = WorkflowRequest.builder("approval")
            val first = graph.job("first", hello, "before")
            val gate = graph.externalGate("gate") { it.after(first) }
            val last = graph.job("last") { it.runs(hello, "after").after(gate) }
            val runId = client.workflows.enqueue(graph.result(last).build()).runId()
            val handlers = handlers {
                blocking(hello) {
                    it.progress(1, 2)
                    JobOutcome.succeeded("done ${it.payload()}")
                }
                on(sweep) { it.payload().name }
                blocking(charge) { pooler.dataSource().paying(it) }
                on(stumble) { check(it.attempt() > 1) { "the first time" } }
                on(wait) { CompletableDeferred<Unit>().await() }
            }

            val report =
                working(client, handlers, quick { lease(Duration.ofSeconds(5)).reaper(true).scheduler(true) }) { witness ->
                    witness.await("started", endless)
                    client.jobs.cancel(everything, endless, "not wanted")
                    witness.await("canceled", endless)
                    witness.await("retried", stumbling)
                    witness.await("succeeded", stumbling)
                    witness.await(
                        "succeeded",
                        UUID.fromString(value("SELECT job_id FROM runledger.workflow_steps WHERE step_key = 'first'")),
                    )
                    client.workflows.completeGate(everything, GateCompletion.succeeded(runId, "gate"))
                    client.workflows.awaitRunResult<String>(everything, runId, Duration.ofSeconds(30)) shouldBe "done after"
                    // 50 greetings, 50 charges, the failed one, two steps and the scheduled one.
                    witness.awaitAll("succeeded", count = 104)
                }

            report.abandoned shouldBe emptyList()
            job(endless).status() shouldBe JobStatus.CANCELED
            value("SELECT count(*) || ' of ' || count(DISTINCT amount) FROM payments") shouldBe "50 of 50"
        }

        pooled("everything works through a pooler that shares sessions, with notifications off") { ledger, pooler ->
            ledger.doEverything(RunledgerClient.builder(pooler.dataSource()).notifications(false).build(), pooler)
        }

        pooled("with notifications on the listener finds out that it cannot hear, says so once, and everything works") {
                ledger,
                pooler,
            ->
            val logged = ListAppender<ILoggingEvent>().apply { start() }
            val logger = LoggerFactory.getLogger(Signals::class.java) as Logger
            logger.addAppender(logged)
            val client = RunledgerClient.create(pooler.dataSource())

            ledger.doEverything(client, pooler)

            client.signals.isListening shouldBe false
            logger.detachAppender(logged)
            logged.list.filter { "shares sessions between transactions" in it.formattedMessage } shouldHaveSize 1
        }

        pooled("a data source of its own to listen with brings notifications back") { ledger, pooler ->
            val pooled = pooler.dataSource()
            val direct = ledger.database.dataSource()
            val client = RunledgerClient.builder(pooled).listenWith(direct).build()
            // No poll and no renewal comes during the test: what arrives, arrives by notification.
            val rarely =
                quick { pollInterval(Duration.ofHours(1)).maxPollInterval(Duration.ofHours(1)).lease(Duration.ofHours(3)) }

            working(client, handlers { on(wait) { CompletableDeferred<Unit>().await() } }, rarely) { witness ->
                val id = client.jobs.enqueue(wait, "").id()
                witness.await("started", id)
                client.jobs.cancel(Scope.everything(), id, "not wanted")
                witness.await("canceled", id)
                client.signals.isListening shouldBe true
            }
        }

        pooled("a pooler that keeps sessions apart is listened through", mode = "session") { _, pooler ->
            val client = RunledgerClient.create(pooler.dataSource())
            val hearing = CompletableDeferred<Unit>()
            val heard = CompletableDeferred<Signal>()

            client.signals.subscribe { if (it == Signal.Resumed) hearing.complete(Unit) else heard.complete(it) }.use {
                withTimeout(30.seconds) {
                    hearing.await()
                    client.jobs.enqueue(hello, "")
                    heard.await() shouldBe Signal.DueJobs("hello")
                }
            }
        }
    })
