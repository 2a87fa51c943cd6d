package io.runledger.exposed.fuzz

import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.Spec
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.deliveries
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.triggers
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.RuntimeConfigRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant

/** A ledger with rows of every kind. */
class World(val ledger: TestLedger, val pool: HikariDataSource) : AutoCloseable by pool {
    val client: RunledgerClient get() = ledger.client

    private val deadLetter = Verdict.DeadLetter(
        JobFailure.terminal("test.broken", "It broke."),
        DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
    )

    /** Makes jobs in every state, runs with an open gate, a schedule, a config, a hook with a letter; answers with all of it. */
    fun populate(): List<Any> = buildList {
        add(client.definitions.declare(JobType.json("mail")))
        add(client.definitions.declare(JobType.json("work")))
        add(client.definitions.declare(JobType.json("failing")))
        client.definitions.sync(listOf(JobType.builder("limited", Json::class.java).limit("w1") { it.permits(2) }.build()))
        client.deliveries.register("hook", listOf("mail"))
        repeat(8) { add(client.jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).idempotencyKey("key $it").build())) }
        repeat(2) {
            val later = JobRequest.builder("mail", it).debounce("key $it", Duration.ofDays(1), Duration.ofDays(2))
            add(client.jobs.get(Scope.everything(), client.jobs.enqueue(later.build()).id()))
        }
        val claimed = client.leases.claim(ClaimRequest.of(listOf("mail"), "w1", Duration.ofMinutes(10), 5))
        client.leases.settle(mapOf(claimed[0].lease() to Verdict.Succeed(null)))
        client.leases.settle(claimed.subList(1, 3).associate { it.lease() to deadLetter })
        addAll(claimed)
        addAll(claimed.drop(3).map { ProgressReport.running(it.lease()) })
        add(client.deliveries.take("hook", listOf("mail"), 1, Duration.ofMinutes(10)))
        add(client.workflows.enqueueUnlessActive(flow().activeKey("one").build()))
        val run = client.workflows.enqueue(flow().idempotencyKey("run").build())
        add(run)
        val more = append(run.runId())
        addAll(listOf(more, client.workflows.append(Scope.everything(), more)))
        add(client.workflows.story(Scope.everything(), run.runId()))
        addAll(failedRuns())
        add(client.schedules.upsert(ScheduleRequest.builder("nightly", "mail", Json.EMPTY_OBJECT).cron("0 0 3 * * *").build()))
        add(client.triggers.register("inbox", Duration.ofMinutes(1)))
        addAll(client.triggers.take(listOf("inbox"), Duration.ofMinutes(10)))
        addAll(actions())
        add(client.configs.put(RuntimeConfigRequest.of("mail", Json.EMPTY_OBJECT)))
        // A range of the past for a backfill.
        addAll(listOf(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-04T00:00:00Z")))
        addAll(listOf("mail", "work", "nightly", "inbox", "gate", "first", "hook", "w1", "one", "run", "30 3 * * *"))
    }

    /** What an operator has done to jobs that wait, each of which can be undone once. */
    private fun actions(): List<Any> {
        val waiting = client.jobs.enqueueAll(List(3) { JobRequest.builder("work", Json.EMPTY_OBJECT).build() })
        val dana = client.actingAs("dana")
        waiting.forEach { dana.jobs.reprioritize(Scope.everything(), it.id(), 7, "urgent") }
        return client.audit.list(Scope.everything()).items()
    }

    /** Two runs that ended with a dead letter, to be retried and to be recovered. */
    private fun failedRuns(): List<Any> {
        val runs = List(2) { place ->
            val flow = WorkflowRequest.builder("test.failing").idempotencyKey("failing $place")
            flow.job("fails") { it.runs("failing", Json.EMPTY_OBJECT) }
            client.workflows.enqueue(flow.build())
        }
        val claimed = client.leases.claim(ClaimRequest.of(listOf("failing"), "w1", Duration.ofMinutes(10), 5))
        client.leases.settle(claimed.associate { it.lease() to deadLetter })
        return runs
    }

    private fun append(run: java.util.UUID) = AppendRequest.builder(run, "more", "gate").also {
        it.job("late") { step -> step.runs("work", Json.EMPTY_OBJECT) }
    }.build()

    private fun flow(): WorkflowRequest.Builder = WorkflowRequest.builder("test.flow").also { flow ->
        val gate = flow.externalGate("gate") { it.expiresAfter(Duration.ofDays(1)) }
        flow.job("first") { it.runs("work", Json.EMPTY_OBJECT) }
        flow.job("second") { it.runs("work", Json.EMPTY_OBJECT).after(gate) }
    }
}

fun Spec.world(): World {
    val plain = freshLedger()
    val pool = HikariDataSource().also {
        it.dataSource = plain.dataSource
        it.maximumPoolSize = 6
        it.minimumIdle = 1
    }
    return autoClose(World(TestLedger(plain.database) { RunledgerClient.create(pool) }, pool))
}
