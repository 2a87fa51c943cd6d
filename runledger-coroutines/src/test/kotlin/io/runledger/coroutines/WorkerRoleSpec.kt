package io.runledger.coroutines

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.run.GateCompletion
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import org.postgresql.ds.PGSimpleDataSource
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes

private val greet = JobType.of("greet", String::class.java)
private val tick = JobType.of("tick", Map::class.java)
private val flaky = JobType.builder("flaky", String::class.java).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()
private val doomed = JobType.builder("doomed", String::class.java).maxAttempts(1).build()

/** A whole worker with nothing but the rights of `runledger_worker`. */
class WorkerRoleSpec :
    FunSpec({
        val everything = Scope.everything()
        val soon = Duration.ofMillis(50)

        /** A pool of a new member of the worker's role. */
        fun TestLedger.asWorker(role: String) = HikariDataSource(
            HikariConfig().apply {
                run(checkNotNull(RunledgerClient::class.java.getResource("roles.sql")).readText())
                run("CREATE ROLE $role LOGIN PASSWORD 'secret' IN ROLE runledger_worker")
                dataSource = PGSimpleDataSource().also {
                    it.setURL(database.jdbcUrl)
                    it.user = role
                    it.password = "secret"
                }
                maximumPoolSize = 10
            },
        )

        fun TestLedger.await(run: UUID) = client.workflows.await(everything, run, Duration.ofMinutes(1)).join().status()

        test("jobs, retries, takeovers, a workflow, gates, a schedule and a dead-letter hook need no more") {
            val ledger = freshLedger()
            ledger.define(greet, tick, flaky, doomed)
            val role = "rl_" + UUID.randomUUID().toString().replace('-', '_')
            val failures = AtomicInteger()
            val letter = CompletableDeferred<DeadLetter>()
            val handlers = handlers {
                on(greet) { "Hello, ${it.payload()}!" }
                on(tick) { it.payload() }
                on(flaky) { check(failures.incrementAndGet() > 1) { "not yet" } }
                on(doomed) { error("never") }
            }
            val left = ledger.enqueue(greet, "left behind")
            WorkerLedger.of(ledger.client).leases.claim(ClaimRequest.of(listOf("greet"), "gone", Duration.ofMinutes(1), 1))
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")
            ledger.client.schedules.upsert(
                ScheduleRequest.builder("daily", "tick", mapOf("n" to 1)).every(Duration.ofDays(1)).build(),
            )
            ledger.client.schedules.retime(Scope.global(), "daily", Instant.now().minusSeconds(1))
            fun flow(type: String) = ledger.client.workflows.enqueue(
                WorkflowRequest.builder(type).also { flow ->
                    val first = flow.job("first") { it.runs("greet", "first") }
                    val gate = flow.externalGate("gate") { it.after(first).expiresAfter(Duration.ofHours(1)) }
                    flow.job("last") { it.runs("greet", "last").after(gate) }
                }.build(),
            ).runId()

            ledger.asWorker(role).use { pool ->
                val config = quick {
                    reaper(
                        true,
                    ).reaperInterval(soon).reaperRetryDelay(soon).scheduler(true).schedulerInterval(soon).janitorInterval(soon)
                }
                working(
                    RunledgerClient.create(pool),
                    handlers,
                    config,
                    { onDeadLetter("pager") { letter.complete(it) } },
                ) { witness ->
                    witness.await("succeeded", left)
                    witness.await("succeeded", ledger.enqueue(greet, "Ada"))
                    witness.await("succeeded", ledger.enqueue(flaky, "Bob"))
                    val lost = ledger.enqueue(doomed, "Cid")
                    withTimeout(1.minutes) { letter.await() }.jobId() shouldBe lost
                    val (approved, forgotten) = listOf("approved", "forgotten").map(::flow)
                    until("both gates are open") { ledger.client.workflows.openGates(everything, 10).items().size == 2 }
                    ledger.client.workflows.completeGate(everything, GateCompletion.succeeded(approved, "gate"))
                    ledger.await(approved) shouldBe WorkflowRunStatus.SUCCEEDED
                    ledger.run(
                        "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second' WHERE is_open_gate",
                    )
                    ledger.await(forgotten) shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
                    until("the job of the schedule is done") {
                        ledger.client.schedules.fires(Scope.global(), "daily").items().mapNotNull { it.jobId() }
                            .any { ledger.job(it).status() == JobStatus.SUCCEEDED }
                    }
                    witness.told.filter { it.what == "unavailable" }.shouldBeEmpty()
                }
            }
            ledger.run("DROP ROLE $role")
        }
    })
