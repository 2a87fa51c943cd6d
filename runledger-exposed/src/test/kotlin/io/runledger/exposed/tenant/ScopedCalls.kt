package io.runledger.exposed.tenant

import io.runledger.exposed.Ledger
import io.runledger.exposed.workflow.gate
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.workflow.AppendRequest
import java.lang.reflect.Type
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** A call in [Caller.scope] for rows of [Caller.wanted], named by facade and function. */
class ScopedCall(val name: String, val call: Caller.() -> Any?)

/** The calling tenant, and the tenant whose rows it names. They can be different. */
class Caller(val ledger: Ledger, val who: Tenant, val wanted: Tenant) {
    val scope: Scope get() = who.scope
    val jobs get() = ledger.jobs
    val workflows get() = ledger.workflows
    val schedules get() = ledger.schedules
}

private val EARLIER = Instant.parse("2025-01-01T00:00:00Z")
private val LATER = Instant.parse("2190-01-01T00:00:00Z")
private val edited = Payload.json("""{"edited":true}""")

private val jobCalls = listOf(
    ScopedCall("jobs.enqueue") { jobs.enqueue(who.job(Tenant.WAITING) { idempotencyKey(wanted.key) }) },
    ScopedCall("jobs.enqueueAll") { jobs.enqueueAll(listOf(who.job(Tenant.WAITING) { idempotencyKey(wanted.key) })) },
    ScopedCall("jobs.cancel") { jobs.cancel(scope, wanted.waiting) },
    ScopedCall("jobs.cancel") { jobs.cancel(scope, wanted.stepJob) },
    ScopedCall("jobs.cancelAll") { jobs.cancelAll(scope, listOf(wanted.leased, wanted.stepJob, wanted.dead)) },
    ScopedCall("jobs.cancelWhere") { jobs.cancelWhere(scope, JobSelection.any(), null, 100) },
    ScopedCall("jobs.requeue") { jobs.requeue(scope, requeue(wanted.dead)) },
    ScopedCall("jobs.requeue") { jobs.requeue(scope, requeue(wanted.stepJob)) },
    ScopedCall("jobs.requeue") { jobs.requeue(scope, wanted.dead, "again") },
    ScopedCall("jobs.requeue") { jobs.requeue(scope, wanted.stepJob) },
    ScopedCall("jobs.restart") { jobs.restart(scope, wanted.dead) },
    ScopedCall("jobs.requeueAll") { jobs.requeueAll(scope, listOf(requeue(wanted.dead))) },
    ScopedCall("jobs.cancelAllWhere") { jobs.cancelAllWhere(scope, JobSelection.any()) },
    ScopedCall("jobs.requeueAllDeadLetters") {
        jobs.requeueAllDeadLetters(scope, JobSelection.any(), KeptState.RESET_PROGRESS_AND_CHECKPOINT)
    },
    ScopedCall("jobs.requeueAllDeadLetters") { jobs.requeueAllDeadLetters(scope, JobSelection.any(), "again") },
    ScopedCall("jobs.requeueDeadLetters") {
        jobs.requeueDeadLetters(scope, JobSelection.any(), KeptState.RESET_PROGRESS_AND_CHECKPOINT, "again", 100)
    },
    ScopedCall("jobs.replay") { jobs.replay(scope, ReplayRequest(wanted.succeeded, 1, "again", "wanted twice")) },
    ScopedCall("jobs.replay") { jobs.replay(scope, ReplayRequest(wanted.stepJob, 1, "again", "wanted twice")) },
    ScopedCall("jobs.releaseOrder") { jobs.releaseOrder(scope, wanted.dead, "broken") },
    ScopedCall("jobs.editPayload") { jobs.editPayload(scope, wanted.waiting, edited, "mended") },
    ScopedCall("jobs.editPayload") { jobs.editPayload(scope, wanted.stepJob, edited, "mended") },
    ScopedCall("jobs.editPayload") {
        jobs.editPayload(scope, wanted.waiting, JobType.json(Tenant.WAITING), Json.of("7"), "mended")
    },
    ScopedCall("jobs.runNow") { jobs.runNow(scope, wanted.waiting, "urgent") },
    ScopedCall("jobs.reschedule") { jobs.reschedule(scope, wanted.waiting, LATER, "later") },
    ScopedCall("jobs.reprioritize") { jobs.reprioritize(scope, wanted.waiting, 7, "later") },
    ScopedCall("jobs.snooze") { jobs.snooze(scope, wanted.waiting, Duration.ofHours(1), "later") },
    ScopedCall("jobs.snoozeAllWhere") { jobs.snoozeAllWhere(scope, JobSelection.any(), Duration.ofHours(1), "later") },
    ScopedCall("jobs.runNowAllWhere") {
        jobs.rescheduleAllWhere(scope, JobSelection.any(), LATER, "later")
        jobs.runNowAllWhere(scope, JobSelection.any(), "urgent")
    },
    ScopedCall("jobs.rescheduleAllWhere") { jobs.rescheduleAllWhere(scope, JobSelection.any(), LATER, "later") },
    ScopedCall("jobs.reprioritizeAllWhere") { jobs.reprioritizeAllWhere(scope, JobSelection.any(), 7, "later") },
    ScopedCall("jobs.deadLetters") { jobs.deadLetters(scope, wanted.dead) },
    ScopedCall("jobs.openDeadLetters") { jobs.openDeadLetters(scope, 100) },
    ScopedCall("jobs.deadLetterCauses") { jobs.deadLetterCauses(scope) },
    ScopedCall("jobs.preview") { jobs.preview(scope, JobSelection.any(), setOf(JobStatus.DEAD_LETTERED)) },
    ScopedCall("jobs.preview") { jobs.preview(scope, JobSelection.any(), setOf(JobStatus.PENDING, JobStatus.LEASED)) },
    ScopedCall("jobs.find") { jobs.find(scope, wanted.succeeded) },
    ScopedCall("jobs.get") { jobs.get(scope, wanted.leased) },
    ScopedCall("jobs.findByKey") { jobs.findByKey(scope, Tenant.WAITING, wanted.key) },
    ScopedCall("jobs.findByKey") { jobs.findByKey(scope, Tenant.WAITING, Tenant.SHARED) },
    ScopedCall("jobs.list") { jobs.list(scope) },
    ScopedCall("jobs.list") { jobs.list(scope, JobQuery.builder().payloadContaining(Json.EMPTY_OBJECT).build()) },
    ScopedCall("jobs.list") { jobs.list(scope) { it.limit(1_000) } },
    ScopedCall("jobs.list") { jobs.list(scope) { it.errorCode("test.broken") } },
    ScopedCall("jobs.list") { jobs.list(scope) { it.idempotencyKey(Tenant.SHARED) } },
    ScopedCall("jobs.statuses") { jobs.statuses(scope, listOf(wanted.waiting, wanted.dead, wanted.stepJob)) },
    ScopedCall("jobs.counts") { jobs.counts(scope) },
    ScopedCall("jobs.events") { jobs.events(scope, wanted.dead) },
    ScopedCall("jobs.attempts") { jobs.attempts(scope, wanted.succeeded) },
    ScopedCall("jobs.path") { jobs.path(scope, wanted.moved) },
    ScopedCall("jobs.retryTerms") { jobs.retryTerms(scope, wanted.dead) },
    ScopedCall("jobs.story") { jobs.story(scope, wanted.leased) },
    ScopedCall("jobs.why") { jobs.why(scope, wanted.waiting) },
    ScopedCall("logs.list") { ledger.logs.list(scope, wanted.leased) },
    ScopedCall("logs.newest") { ledger.logs.newest(scope, wanted.leased) },
    ScopedCall("metrics.jobs") { ledger.metrics.jobs(scope) },
    // The same attempts may end in neighbouring buckets, and take a little longer.
    ScopedCall("metrics.throughput") { ledger.metrics.throughput(scope).points().sumOf { it.succeeded() + it.deadLettered() } },
    ScopedCall("metrics.failureCauses") { ledger.metrics.failureCauses(scope) },
    ScopedCall("metrics.durations") { ledger.metrics.durations(scope, Tenant.MAIL).attempts() },
)

private fun Caller.requeue(job: UUID) =
    RequeueRequest(job, JobStatus.DEAD_LETTERED, 1, KeptState.RESET_PROGRESS_AND_CHECKPOINT, "again")

private val runChanges = listOf(
    ScopedCall("workflows.enqueue") { workflows.enqueue(who.run { idempotencyKey(wanted.key) }) },
    ScopedCall("workflows.enqueueAll") { workflows.enqueueAll(listOf(who.run { idempotencyKey(wanted.key) })) },
    ScopedCall("workflows.enqueueUnlessActive") { workflows.enqueueUnlessActive(who.run { activeKey(wanted.key) }) },
    ScopedCall("workflows.completeGate") {
        workflows.completeGate(scope, GateCompletion.succeeded(wanted.liveRun, "approval"))
    },
    ScopedCall("workflows.completeGate") { workflows.completeGate(scope, GateCompletion.succeeded(wanted.liveRun, "only")) },
    ScopedCall("workflows.completeGate") { workflows.completeGate(scope, wanted.liveRun, "approval") },
    ScopedCall("workflows.completeGate") { workflows.completeGate(scope, wanted.liveRun, "approval", 7) },
    ScopedCall("workflows.failGate") { workflows.failGate(scope, wanted.liveRun, "approval", "test.no", "no") },
    ScopedCall("workflows.cancel") { workflows.cancel(scope, wanted.liveRun) },
    ScopedCall("workflows.pause") { workflows.pause(scope, wanted.liveRun, "hold") },
    ScopedCall("workflows.resume") { workflows.resume(scope, wanted.pausedRun) },
    ScopedCall("workflows.append") {
        workflows.append(scope, AppendRequest.builder(wanted.liveRun, "yet more", "approval").apply { gate("new") }.build())
    },
    ScopedCall("workflows.editPayload") { workflows.editPayload(scope, wanted.liveRun, "last", edited, "mended") },
    ScopedCall("workflows.editPayload") {
        workflows.editPayload(scope, wanted.liveRun, "last", JobType.json(Tenant.WAITING), Json.of("7"), "mended")
    },
    ScopedCall("workflows.retryFailed") {
        workflows.retryFailed(scope, RetryFailedRequest(wanted.failedRun, "retry", "mended"))
    },
    ScopedCall("workflows.retryFailed") { workflows.retryFailed(scope, wanted.failedRun, "retry", "mended") },
    ScopedCall("workflows.recover") { workflows.recover(scope, RecoveryRequest.of(wanted.failedRun, "once more", "mended")) },
    ScopedCall("workflows.recover") {
        workflows.recover(scope, RecoveryRequest(who.failedRun, wanted.failedStep, "with a step", "mended"))
    },
)

private val runReads = listOf(
    ScopedCall("workflows.await") { workflows.await(scope, wanted.failedRun, Duration.ZERO) },
    ScopedCall("workflows.await") { workflows.await(scope, wanted.liveRun, Duration.ZERO) },
    ScopedCall("workflows.awaitResult") { workflows.awaitResult(scope, wanted.liveRun, String::class.java, Duration.ZERO) },
    ScopedCall("workflows.awaitResult") {
        workflows.awaitResult<Any>(scope, wanted.failedRun, String::class.java as Type, Duration.ZERO)
    },
    ScopedCall("workflows.find") { workflows.find(scope, wanted.liveRun) },
    ScopedCall("workflows.get") { workflows.get(scope, wanted.failedRun) },
    ScopedCall("workflows.findByKey") { workflows.findByKey(scope, "test.flow", wanted.key) },
    ScopedCall("workflows.findByKey") { workflows.findByKey(scope, "test.flow", Tenant.SHARED) },
    ScopedCall("workflows.findLatest") { workflows.findLatest(scope, "test.flow") },
    ScopedCall("workflows.findByJob") { workflows.findByJob(scope, wanted.stepJob) },
    ScopedCall("workflows.list") { workflows.list(scope) },
    ScopedCall("workflows.list") { workflows.list(scope, WorkflowQuery.builder().typePrefix("test").build()) },
    ScopedCall("workflows.list") { workflows.list(scope) { it.typePrefix("test") } },
    ScopedCall("workflows.count") { workflows.count(scope) },
    ScopedCall("workflows.findStep") { workflows.findStep(scope, wanted.liveRun, "only") },
    ScopedCall("workflows.getStep") { workflows.getStep(scope, wanted.liveRun, "only") },
    ScopedCall("workflows.steps") { workflows.steps(scope, wanted.liveRun) },
    ScopedCall("workflows.allSteps") { workflows.allSteps(scope, wanted.liveRun) },
    ScopedCall("workflows.stepCounts") { workflows.stepCounts(scope, wanted.liveRun) },
    ScopedCall("workflows.stepTotals") { workflows.stepTotals(scope, listOf(wanted.liveRun, wanted.failedRun)) },
    ScopedCall("workflows.dependencies") { workflows.dependencies(scope, wanted.liveRun) },
    ScopedCall("workflows.events") { workflows.events(scope, wanted.failedRun) },
    ScopedCall("workflows.runEvents") { workflows.runEvents(scope, wanted.pausedRun) },
    ScopedCall("workflows.mutations") { workflows.mutations(scope, wanted.liveRun) },
    ScopedCall("workflows.lineage") { workflows.lineage(scope, wanted.failedRun) },
    ScopedCall("workflows.openGates") { workflows.openGates(scope, 100) },
    ScopedCall("workflows.findActiveClaim") { workflows.findActiveClaim(scope, wanted.key) },
    ScopedCall("workflows.findActiveClaim") { workflows.findActiveClaim(scope, Tenant.SHARED) },
    ScopedCall("workflows.story") { workflows.story(scope, wanted.failedRun) },
)

private val auditCalls = listOf(
    ScopedCall("audit.list") { ledger.audit.list(scope) },
    ScopedCall("audit.list") { ledger.audit.list(scope, AuditQuery.ofJob(wanted.canceled)) },
    ScopedCall("audit.list") { ledger.audit.list(scope) { it.actor("dana") } },
    ScopedCall("audit.find") { ledger.audit.find(scope, wanted.action) },
    ScopedCall("audit.get") { ledger.audit.get(scope, wanted.action) },
    ScopedCall("audit.undo") { ledger.actingAs("eve").audit.undo(scope, wanted.action, "mistake") },
)

private val scheduleCalls = listOf(
    ScopedCall("schedules.syncExactly") { schedules.syncExactly(scope, emptyList(), setOf(wanted.key)) },
    ScopedCall("schedules.pause") { schedules.pause(scope, wanted.key) },
    ScopedCall("schedules.resume") { schedules.resume(scope, wanted.key) },
    ScopedCall("schedules.retime") { schedules.retime(scope, wanted.key, Instant.parse("2040-01-01T00:00:00Z")) },
    ScopedCall("schedules.fireNow") { schedules.fireNow(scope, wanted.key) },
    ScopedCall("schedules.edit") { schedules.edit(scope, ScheduleEdit.of(scheduleNamed(wanted.key)).cron("@daily").build()) },
    ScopedCall("schedules.backfill") { schedules.backfill(scope, wanted.key, EARLIER, EARLIER + Duration.ofDays(2)) },
    ScopedCall("schedules.previewBackfill") {
        schedules.previewBackfill(scope, wanted.key, EARLIER, EARLIER + Duration.ofDays(2))
    },
    ScopedCall("schedules.delete") { schedules.delete(scope, wanted.key) },
    ScopedCall("schedules.find") { schedules.find(scope, wanted.key) },
    ScopedCall("schedules.get") { schedules.get(scope, wanted.key) },
    ScopedCall("schedules.list") { schedules.list(scope) },
    ScopedCall("schedules.fires") { schedules.fires(scope, wanted.key) },
    ScopedCall("schedules.upcoming") { schedules.upcoming(scope, wanted.key, 3) },
)

/** Every call that names a tenant. */
val scopedCalls: List<ScopedCall> = jobCalls + runChanges + runReads + auditCalls + scheduleCalls

/** Names of schedules are unique across organizations: saving one shows that a name is in use, and nothing else. */
val namingCalls: List<ScopedCall> = listOf(
    ScopedCall("schedules.upsert") { schedules.upsert(who.schedule(wanted.key)) },
    ScopedCall("schedules.sync") { schedules.sync(scope, listOf(who.schedule(wanted.key))) },
)

/** A schedule as a caller could have read it, if there were one of this name. Its id is that of none. */
private fun scheduleNamed(name: String) = Schedule(
    UUID(0, 0), name, ScheduleKind.JOB, Tenant.WAITING, null, null, null, null, Duration.ofDays(1), "UTC", Duration.ZERO,
    MisfirePolicy.ONE, 1, OverlapPolicy.ALLOW, 1, true, null, Json.EMPTY_OBJECT, emptyMap(), LATER, null, null, null, null, null,
    null, LATER, null, EARLIER, EARLIER,
)
