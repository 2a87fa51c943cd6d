package io.runledger.exposed.tenant

import io.runledger.exposed.TestLedger
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** The rows of an organization. All organizations use the keys of [SHARED]. */
class Tenant(val name: String, val organization: UUID = UUID.randomUUID()) {
    var waiting: UUID = UUID.randomUUID()
    var leased: UUID = UUID.randomUUID()
    var succeeded: UUID = UUID.randomUUID()
    var dead: UUID = UUID.randomUUID()
    var moved: UUID = UUID.randomUUID()
    var canceled: UUID = UUID.randomUUID()
    var liveRun: UUID = UUID.randomUUID()
    var pausedRun: UUID = UUID.randomUUID()
    var failedRun: UUID = UUID.randomUUID()
    var stepJob: UUID = UUID.randomUUID()
    var failedStep: UUID = UUID.randomUUID()
    var action: UUID = UUID.randomUUID()

    val scope: Scope get() = Scope.organization(organization)

    /** One text for the job and run key, the active key, and the name of a schedule. */
    val key: String get() = "key of $name"

    fun job(type: String, settings: JobRequest.Builder.() -> Unit = {}): JobRequest =
        JobRequest.builder(type, mapOf("same" to "content")).organization(organization).apply(settings).build()

    fun run(settings: WorkflowRequest.Builder.() -> Unit = {}): WorkflowRequest = workflow {
        organization(organization)
        val only = work("only")
        val approval = gate("approval")
        result(work("last", only, approval))
        settings()
    }

    fun schedule(name: String = key): ScheduleRequest = ScheduleRequest.builder(name, WAITING, mapOf("same" to "content"))
        .organization(organization)
        .every(Duration.ofDays(1))
        .build()

    companion object {
        const val SHARED = "the same for all"
        const val WAITING = "waiting"
        const val MAIL = "mail"
        val types = arrayOf(WAITING, MAIL, "work")
    }
}

/** Gives [tenant] a job in every status, a live, a paused and a failed run, a schedule, an action, and keys of both kinds. */
fun TestLedger.settle(tenant: Tenant) {
    val jobs = client.jobs
    fun claim(type: String): List<ClaimedJob> = client.leases.claim(ClaimRequest.of(listOf(type), "w1", lease, 100))
    fun end(job: ClaimedJob, verdict: Verdict) = client.leases.settle(mapOf(job.lease() to verdict))
    val broken = Verdict.DeadLetter(JobFailure.terminal("test.broken", "It broke."), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
    fun mail(verdict: Verdict): UUID =
        jobs.enqueue(tenant.job(Tenant.MAIL)).id().also { end(claim(Tenant.MAIL).single(), verdict) }

    tenant.waiting = jobs.enqueue(tenant.job(Tenant.WAITING) { idempotencyKey(tenant.key) }).id()
    jobs.enqueue(tenant.job(Tenant.WAITING) { idempotencyKey(Tenant.SHARED) })
    tenant.succeeded = mail(Verdict.Succeed(Payload.of(mapOf("same" to "output"))))
    tenant.dead = mail(broken)
    tenant.moved = mail(Verdict.Continue(null, null, Duration.ZERO).moving("First", "Second"))
    end(claim(Tenant.MAIL).single(), Verdict.Succeed(null))
    tenant.canceled = jobs.enqueue(tenant.job(Tenant.MAIL)).id().also {
        client.actingAs("dana").jobs.cancel(tenant.scope, it)
    }
    tenant.action = client.audit.list(tenant.scope).items().single().id()
    tenant.leased = jobs.enqueue(tenant.job(Tenant.MAIL)).id()
    client.logs.append(LogRequest.of(claim(Tenant.MAIL).single().lease(), LogLevel.INFO, "the same line"))

    tenant.failedRun = client.workflows.enqueue(tenant.run { idempotencyKey(Tenant.SHARED) }).runId()
    end(claim("work").single(), broken)
    client.workflows.completeGate(tenant.scope, GateCompletion.succeeded(tenant.failedRun, "approval"))
    tenant.failedStep = client.workflows.getStep(tenant.scope, tenant.failedRun, "only").id()
    tenant.liveRun = client.workflows.enqueueUnlessActive(
        tenant.run {
            idempotencyKey(tenant.key)
            activeKey(tenant.key)
        },
    ).runId()
    tenant.stepJob = claim("work").single().lease().jobId()
    client.workflows.enqueueUnlessActive(tenant.run { activeKey(Tenant.SHARED) })
    client.workflows.append(
        tenant.scope,
        AppendRequest.builder(tenant.liveRun, "more", "approval").apply {
            gate("extra")
        }.build(),
    )
    client.workflows.recover(tenant.scope, RecoveryRequest.of(tenant.failedRun, "again", "It broke."))
    claim("work")
    tenant.pausedRun = client.workflows.enqueue(tenant.run()).runId()
    client.workflows.pause(tenant.scope, tenant.pausedRun, "the same reason")

    client.schedules.upsert(tenant.schedule())
    client.schedules.fireNow(tenant.scope, tenant.key)
    client.schedules.retime(tenant.scope, tenant.key, Instant.now().minusSeconds(1))
    client.dueSchedules.fire(1)
}
