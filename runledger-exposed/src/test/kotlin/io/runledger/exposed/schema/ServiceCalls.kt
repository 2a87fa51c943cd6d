package io.runledger.exposed.schema

import io.runledger.exposed.deliveries
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.fleet.card
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.membership
import io.runledger.exposed.stepInputs
import io.runledger.exposed.tenant.Caller
import io.runledger.exposed.tenant.ScopedCall
import io.runledger.exposed.tenant.Tenant
import io.runledger.exposed.triggers
import io.runledger.exposed.upkeep
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.RuntimeConfigRequest
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

private fun Caller.claim(): ClaimedJob = ledger.leases.claim(ClaimRequest.of(listOf(Tenant.WAITING), "w1", lease, 1)).single()

private fun Caller.letters() = ledger.deliveries.take("pager", listOf(Tenant.MAIL), 10, lease)

private fun Caller.poll(): TakenPoll = ledger.triggers.take(listOf("inbox"), lease).single()

private val declared = JobType.of("new", String::class.java)

/** Calls of services, workers and operators that belong to no tenant. */
val serviceCalls: List<ScopedCall> = listOf(
    ScopedCall("worker.leases.claim") { claim() },
    ScopedCall("worker.leases.claimNew") {
        ledger.leases.claimNew(UUID.randomUUID(), ClaimRequest.of(listOf(Tenant.WAITING), "w1", lease, 1))
    },
    ScopedCall("worker.leases.untilDue") { ledger.leases.untilDue(listOf(Tenant.WAITING)) },
    ScopedCall("worker.leases.recordStarts") { ledger.leases.recordStarts(listOf(claim().lease())) },
    ScopedCall("worker.leases.renew") { ledger.leases.renew(listOf(claim().lease()), lease) },
    ScopedCall("worker.leases.settle") { ledger.leases.settle(mapOf(claim().lease() to Verdict.Succeed(null))) },
    ScopedCall("worker.leases.release") { ledger.leases.release(listOf(claim().lease()), "SHUTDOWN") },
    ScopedCall("worker.leases.report") { ledger.leases.report(ProgressReport(claim().lease(), Progress.of(1, 2), null, null)) },
    ScopedCall("worker.leases.reportAll") {
        ledger.leases.reportAll(listOf(ProgressReport(claim().lease(), Progress.of(1, 2), null, null)))
    },
    ScopedCall("worker.leases.noteOvertime") { ledger.leases.noteOvertime(claim().lease(), Duration.ofMinutes(1)) },
    ScopedCall("worker.leases.reap") { ledger.leases.reap(10, Duration.ofSeconds(1)) },
    ScopedCall("worker.upkeep.expireGates") { ledger.upkeep.expireGates(10) },
    ScopedCall("worker.upkeep.releaseActiveKeys") { ledger.upkeep.releaseActiveKeys(10) },
    ScopedCall("worker.upkeep.isNeeded") { ledger.upkeep.isNeeded() },
    ScopedCall("worker.stepInputs.prerequisites") { ledger.stepInputs.prerequisites(who.stepJob) },
    ScopedCall("worker.stepInputs.runContext") { ledger.stepInputs.runContext(who.stepJob, "risk") },
    ScopedCall("worker.schedules.fire") { ledger.dueSchedules.fire(10) },
    ScopedCall("worker.schedules.untilNextFire") { ledger.dueSchedules.untilNextFire() },
    ScopedCall("worker.triggers.register") { ledger.triggers.register("files", lease) },
    ScopedCall("worker.triggers.untilNextPoll") { ledger.triggers.untilNextPoll(listOf("inbox")) },
    ScopedCall("worker.triggers.take") { poll() },
    ScopedCall("worker.triggers.settle") {
        ledger.triggers.settle(poll(), PollResult.fire("a", JobRequest.builder(Tenant.WAITING, Json.NULL).build()))
    },
    ScopedCall("worker.triggers.fail") { ledger.triggers.fail(poll(), "It broke.") },
    ScopedCall("worker.triggers.release") { ledger.triggers.release(poll()) },
    ScopedCall("metrics.fleet") { ledger.metrics.fleet() },
    ScopedCall("workers.list") { ledger.workers.list() },
    ScopedCall("workers.heldJobs") { ledger.workers.heldJobs("w1") },
    ScopedCall("workers.drain") { ledger.workers.drain(WorkerSelection.all(), "Maintenance.") },
    ScopedCall("workers.resume") { ledger.workers.resume(WorkerSelection.all(), "Over.") },
    ScopedCall("workers.resumeAll") { ledger.workers.resumeAll("Over.") },
    ScopedCall("workers.stop") { ledger.workers.stop(WorkerSelection.all(), "Too old.") },
    ScopedCall("workers.awaitDrained") { ledger.workers.awaitDrained(WorkerSelection.all(), lease) },
    ScopedCall("workers.standingOrders") { ledger.workers.standingOrders() },
    ScopedCall("workers.orders") { ledger.workers.orders(10) },
    ScopedCall("worker.fleet.enter") { ledger.membership.enter(card("w1")) },
    ScopedCall("worker.fleet.beat") { ledger.membership.beat(UUID.randomUUID(), WorkerState.WORKING, 0) },
    ScopedCall("worker.fleet.leave") { ledger.membership.leave(UUID.randomUUID()) },
    ScopedCall("logs.append") { ledger.logs.append(LogRequest(who.dead, null, null, LogLevel.INFO, "seen", Json.EMPTY_OBJECT)) },
    ScopedCall("logs.appendAll") {
        ledger.logs.appendAll(listOf(LogRequest(who.dead, null, null, LogLevel.INFO, "seen", Json.EMPTY_OBJECT)))
    },
    ScopedCall("worker.hooks.register") { ledger.deliveries.register("other", listOf(Tenant.MAIL)) },
    ScopedCall("worker.hooks.take") { letters() },
    ScopedCall("worker.hooks.delivered") { ledger.deliveries.delivered(letters()) },
    ScopedCall("worker.hooks.postpone") { ledger.deliveries.postpone(letters().associateWith { lease }) },
    ScopedCall("hooks.remove") { ledger.hooks.remove("pager") },
    ScopedCall("definitions.declare") { ledger.definitions.declare(declared) },
    ScopedCall("definitions.sync") { ledger.definitions.sync(listOf(declared)) },
    ScopedCall("definitions.syncExactly") { ledger.definitions.syncExactly(listOf(declared), listOf("new", Tenant.MAIL)) },
    ScopedCall("definitions.enable") { ledger.definitions.enable("off") },
    ScopedCall("definitions.disable") { ledger.definitions.disable(Tenant.MAIL) },
    ScopedCall("definitions.pause") { ledger.definitions.pause(Tenant.MAIL) },
    ScopedCall("definitions.resume") { ledger.definitions.resume("off") },
    ScopedCall("definitions.change") {
        ledger.definitions.change(Tenant.MAIL, DefinitionChange.builder().maxAttempts(7).build())
    },
    ScopedCall("definitions.reset") { ledger.definitions.reset(Tenant.MAIL) },
    ScopedCall("definitions.find") { ledger.definitions.find(Tenant.MAIL) },
    ScopedCall("definitions.get") { ledger.definitions.get(Tenant.MAIL) },
    ScopedCall("definitions.list") { ledger.definitions.list() },
    ScopedCall("limits.list") { ledger.limits.list() },
    ScopedCall("limits.find") { ledger.limits.find("api") },
    ScopedCall("limits.get") { ledger.limits.get("api") },
    ScopedCall("limits.change") { ledger.limits.change("api", LimitValues.permits(2)) },
    ScopedCall("limits.changePermits") { ledger.limits.changePermits("api", 3) },
    ScopedCall("limits.changeRate") { ledger.limits.changeRate("api", Rate.of(1, lease)) },
    ScopedCall("limits.reset") { ledger.limits.reset("changed") },
    ScopedCall("limits.history") { ledger.limits.history("api") },
    ScopedCall("limits.usage") { ledger.limits.usage("api") },
    ScopedCall("limits.loads") { ledger.limits.loads() },
    ScopedCall("queues.list") { ledger.queues.list() },
    ScopedCall("queues.get") { ledger.queues.get("imports") },
    ScopedCall("queues.pause") { ledger.queues.pause("imports") },
    ScopedCall("queues.resume") { ledger.queues.resume("imports") },
    ScopedCall("queues.limit") { ledger.queues.limit("imports", LimitValues.permits(2)) },
    ScopedCall("queues.history") { ledger.queues.history("imports") },
    ScopedCall("shares.weigh") { ledger.shares.weigh(Tenant.MAIL, "acme", 2) },
    ScopedCall("shares.list") { ledger.shares.list(Tenant.MAIL) },
    ScopedCall("configs.put") { ledger.configs.put(RuntimeConfigRequest.of(Tenant.MAIL, mapOf("n" to 1))) },
    ScopedCall("configs.putIfMissing") { ledger.configs.putIfMissing(RuntimeConfigRequest.of(Tenant.MAIL, mapOf("n" to 1))) },
    ScopedCall("configs.find") { ledger.configs.find(Tenant.MAIL) },
    ScopedCall("configs.get") { ledger.configs.get(Tenant.MAIL) },
    ScopedCall("configs.list") { ledger.configs.list() },
    ScopedCall("retention.prune") {
        ledger.retention.prune(PruneRequest.of(Duration.ZERO, setOf(JobStatus.SUCCEEDED, JobStatus.CANCELED), 100))
    },
    ScopedCall("retention.pruneRuns") {
        ledger.retention.pruneRuns(PruneRunsRequest.of(Duration.ZERO, setOf(WorkflowRunStatus.COMPLETED_WITH_ERRORS), 100))
    },
    ScopedCall("retention.pruneFires") { ledger.retention.pruneFires(Duration.ZERO, 100) },
    ScopedCall("retention.prunePolls") { ledger.retention.prunePolls(Duration.ZERO, 100) },
    ScopedCall("retention.pruneLimitKeys") { ledger.retention.pruneLimitKeys(Duration.ZERO, 100) },
    ScopedCall("retention.pruneWorkers") { ledger.retention.pruneWorkers(Duration.ZERO, 100) },
    ScopedCall("retention.pruneActions") { ledger.retention.pruneActions(Duration.ZERO, 100) },
)
