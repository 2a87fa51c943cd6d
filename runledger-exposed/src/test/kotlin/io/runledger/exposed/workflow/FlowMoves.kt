package io.runledger.exposed.workflow

import io.runledger.exposed.Ledger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.AppendedSteps
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID

/** The failure of an attempt that is retried at once. */
val again = Verdict.Retry(JobFailure.retryable("test.flaky", "Not this time."), Duration.ZERO, null)

/** [columns] of one step, joined by a bar. */
fun Flow.step(run: UUID, key: String, columns: String): String =
    ledger.value("SELECT $columns FROM runledger.workflow_steps WHERE workflow_run_id = '$run' AND step_key = '$key'")

fun Flow.jobOf(run: UUID, key: String): UUID = UUID.fromString(step(run, key, "job_id"))

/** Claims like a worker that has not yet stored the start of the handler. */
fun Flow.claimUnstarted(): Map<String, ClaimedJob> =
    client.leases.claim(ClaimRequest(listOf(Flow.TYPE), "w1", lease, 100, ClaimOrigin.WORKER_PRESTART))
        .associateBy { it.step()!!.stepKey() }

fun Flow.expireLease(job: UUID) =
    ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '$job'")

/** Moves the deadline of an open gate into the past. */
fun Flow.passDeadline(run: UUID, gate: String) = ledger.run(
    "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second' " +
        "WHERE workflow_run_id = '$run' AND step_key = '$gate' AND status = 'WAITING_FOR_EXTERNAL'",
)

fun Flow.append(run: UUID, key: String, window: String, steps: StepsBuilder.() -> Unit): AppendedSteps =
    client.workflows.append(Scope.everything(), AppendRequest.builder(run, key, window).apply(steps).build())

/** Does [work] while another transaction, which is rolled back after it, holds the run. */
fun <T> Flow.holding(run: UUID, work: () -> T): T = ledger.database.connect().use { holder ->
    holder.autoCommit = false
    holder.createStatement().use {
        it.execute("SELECT FROM runledger.workflow_runs WHERE id = '$run' FOR NO KEY UPDATE")
    }
    try {
        work()
    } finally {
        holder.rollback()
    }
}

/** Does [work] in a transaction of its own with the given isolation level, and rolls it back. */
fun Flow.joined(isolation: Int, work: (Ledger) -> Unit) = ledger.database.connect().use { connection ->
    connection.autoCommit = false
    connection.transactionIsolation = isolation
    work(client.within(connection))
    connection.rollback()
}

fun Flow.deadlocks(): String = ledger.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")

/** The status of a step, read through the client. */
fun Flow.standing(run: UUID, key: String): WorkflowStepStatus = client.workflows.getStep(Scope.everything(), run, key).status()

/** Settles like a worker: repeats while another session holds the run. */
fun Flow.settleSurely(job: ClaimedJob, verdict: Verdict = Verdict.Succeed(null)): SettledJob.Result =
    generateSequence { settle(job, verdict).result() }.first { it != SettledJob.Result.BUSY }

/** Releases like a worker: repeats while another transaction holds one of the jobs. */
fun Flow.releaseSurely(jobs: Collection<ClaimedJob>) {
    var leases = jobs.map { it.lease() }
    while (leases.isNotEmpty()) {
        leases = client.leases.release(leases, "SHUTDOWN").filter { it.result() == SettledJob.Result.BUSY }.map { it.lease() }
    }
}
