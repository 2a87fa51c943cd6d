package io.runledger.exposed.control

import io.kotest.core.spec.Spec
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import java.time.Duration
import java.util.UUID

/** A ledger with one job type, and short functions to bring a job into the state that a test needs. */
class Bench(val ledger: TestLedger, val client: RunledgerClient) {
    fun enqueue(payload: Any = mapOf("n" to 1), change: JobRequest.Builder.() -> Unit = {}): UUID =
        client.jobs.enqueue(JobRequest.builder(TYPE, payload).apply(change).build()).id()

    fun enqueue(count: Int): List<UUID> =
        client.jobs.enqueueAll(List(count) { JobRequest.builder(TYPE, it).build() }).map { it.id() }

    fun claim(limit: Int = 1, origin: ClaimOrigin = ClaimOrigin.DIRECT): List<ClaimedJob> =
        client.leases.claim(ClaimRequest(listOf(TYPE), "worker", Duration.ofMinutes(1), limit, origin))

    fun claimOne(origin: ClaimOrigin = ClaimOrigin.DIRECT): Lease = claim(1, origin).single().lease()

    fun leased(change: JobRequest.Builder.() -> Unit = {}): Lease {
        enqueue(change = change)
        return claimOne()
    }

    fun succeed(lease: Lease) = client.leases.settle(mapOf(lease to Verdict.Succeed(null))).single().result()

    fun die(lease: Lease, code: String = "test.broken") = client.leases.settle(
        mapOf(
            lease to Verdict.DeadLetter(JobFailure.terminal(code, "broken"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
        ),
    ).single().result()

    fun succeeded(payload: Any = mapOf("n" to 1), change: JobRequest.Builder.() -> Unit = {}): UUID {
        val id = enqueue(payload, change)
        succeed(claimOne())
        return id
    }

    fun dead(code: String = "test.broken", change: JobRequest.Builder.() -> Unit = {}): UUID {
        val lease = leased(change)
        die(lease, code)
        return lease.jobId()
    }

    fun expire(vararg jobs: UUID) = jobs.forEach { set(it, "lease_expires_at = now() - interval '1 second'") }

    fun set(job: UUID, assignments: String) = ledger.run("UPDATE runledger.job_queue SET $assignments WHERE id = '$job'")

    fun row(job: UUID, columns: String): String = ledger.value("SELECT $columns FROM runledger.job_queue WHERE id = '$job'")

    fun attempts(job: UUID, columns: String = "run_number, attempt, outcome"): List<String> =
        ledger.rows("SELECT $columns FROM runledger.job_attempts WHERE job_id = '$job' ORDER BY run_number, attempt")

    fun journal(job: UUID, columns: String = "event_type, run_number, attempt"): List<String> =
        ledger.rows("SELECT $columns FROM runledger.job_journal WHERE job_id = '$job' ORDER BY id")

    fun story(job: UUID): List<String> =
        ledger.rows("SELECT event_type FROM runledger.job_events WHERE job_id = '$job' ORDER BY id")

    fun ofWorkflow(job: UUID) {
        val run = UUID.randomUUID()
        ledger.run(
            "INSERT INTO runledger.workflow_runs (id, workflow_type, open_steps, active_steps) VALUES ('$run', 'w', 1, 1)",
            "UPDATE runledger.job_queue SET is_step = true WHERE id = '$job'",
            "INSERT INTO runledger.workflow_step_rows (workflow_run_id, ordinal, step_key, job_id, job_type, priority, " +
                "max_attempts, timeout_seconds, stage, status) " +
                "VALUES ('$run', 0, 'a', '$job', '$TYPE', 1, 1, 1, 'queued', 'BLOCKED')",
        )
    }

    companion object {
        const val TYPE = "test.work"
    }
}

/** A fresh ledger behind a pool. */
fun Spec.bench(): Bench {
    val ledger = freshLedger()
    ledger.run("INSERT INTO runledger.job_definitions (job_type, max_attempts) VALUES ('${Bench.TYPE}', 2)")
    return Bench(ledger, ledger.client)
}
