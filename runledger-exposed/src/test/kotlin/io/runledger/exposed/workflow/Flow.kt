package io.runledger.exposed.workflow

import io.kotest.core.spec.Spec
import io.runledger.exposed.TestLedger
import io.runledger.exposed.about
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.GateRef
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

/** A ledger on which workflows are run by hand: every step's job type is named `work`. */
class Flow(val ledger: TestLedger) {
    val client get() = ledger.client

    fun start(request: WorkflowRequest): UUID = client.workflows.enqueue(request).runId()

    fun start(build: WorkflowRequest.Builder.() -> Unit): UUID = start(workflow(build))

    /** Claims due jobs and returns them by step key. */
    fun claim(limit: Int = 1000): Map<String, ClaimedJob> =
        client.leases.claim(ClaimRequest.of(listOf(TYPE), "w1", lease, limit)).associateBy { it.step()!!.stepKey() }

    fun settle(job: ClaimedJob, verdict: Verdict): SettledJob =
        client.leases.settle(mapOf(job.lease() to verdict.about(job))).single()

    fun succeed(job: ClaimedJob, output: Any? = null) = settle(job, Verdict.Succeed(output?.let(Payload::of)))

    fun fail(job: ClaimedJob) = settle(
        job,
        Verdict.DeadLetter(JobFailure.terminal("test.broken", "It broke."), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
    )

    /** Claims and ends the named step's job. */
    fun finish(key: String, output: Any? = null) = succeed(claim().getValue(key), output)

    fun complete(run: UUID, gate: String): WorkflowStep =
        client.workflows.completeGate(Scope.everything(), GateCompletion.succeeded(run, gate))

    /** `key status` for each step, in the order declared. */
    fun steps(run: UUID): List<String> = ledger.rows(
        "SELECT step_key || ' ' || status FROM runledger.workflow_steps WHERE workflow_run_id = '$run' ORDER BY ordinal",
    )

    fun status(run: UUID): String = ledger.value("SELECT status FROM runledger.workflow_runs WHERE id = '$run'")

    fun jobs(): Int = ledger.value("SELECT count(*) FROM runledger.job_queue").toInt()

    /** A test then claims only jobs that it started itself. */
    fun cancelEverything() = ledger.rows("SELECT id FROM runledger.workflow_runs WHERE finished_at IS NULL").forEach {
        client.workflows.cancel(Scope.everything(), UUID.fromString(it))
    }

    /** The contradictions in the ledger. */
    fun contradictions(): List<String> = client.verify().contradictions().map { "$it" }

    companion object {
        const val TYPE = "work"
    }
}

fun Spec.flow(): Flow = Flow(
    freshLedger().also {
        it.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('${Flow.TYPE}')")
    },
)

fun workflow(build: WorkflowRequest.Builder.() -> Unit): WorkflowRequest =
    WorkflowRequest.builder("test.flow").apply(build).build()

/** A job step of the type that [Flow] works on. */
fun StepsBuilder.work(key: String, vararg after: Upstream, settings: JobStep.Builder.() -> Unit = {}): JobRef =
    job(key) { it.runs(Flow.TYPE, Json.EMPTY_OBJECT).after(*after).settings() }

fun StepsBuilder.gate(key: String, vararg after: Upstream, settings: GateStep.Builder.() -> Unit = {}): GateRef =
    externalGate(key) { it.after(*after).settings() }
