package io.runledger.exposed.schema

import io.runledger.exposed.fleet.card
import io.runledger.exposed.lease
import io.runledger.exposed.tenant.Caller
import io.runledger.exposed.tenant.ScopedCall
import io.runledger.exposed.tenant.Tenant
import io.runledger.model.json.Json
import io.runledger.model.policy.Verdict
import io.runledger.model.run.LogLevel
import io.runledger.model.run.LogRequest
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.DefinitionChange
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.JobType
import io.runledger.model.spec.PollResult
import io.runledger.model.spec.ProgressReport
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.spec.RuntimeConfigRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Progress
import io.runledger.model.state.TakenPoll
import io.runledger.model.state.WorkerState
import io.runledger.model.state.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

private fun Caller.claim(): ClaimedJob = ledger.leases.claim(ClaimRequest.of(listOf(Tenant.WAITING), "w1", lease, 1)).single()

private fun Caller.letters() = ledger.hooks.take("pager", listOf(Tenant.MAIL), 10, lease)

private fun Caller.poll(): TakenPoll = ledger.triggers.take(listOf("inbox"), lease).single()

private val declared = JobType.of("new", String::class.java)

/** What services, workers and operators call on behalf of nobody in particular. */
val serviceCalls: List<ScopedCall> = listOf(
    ScopedCall("leases.claim") { claim() },
    ScopedCall("leases.untilDue") { ledger.leases.untilDue(listOf(Tenant.WAITING)) },
    ScopedCall("leases.renew") { ledger.leases.renew(listOf(claim().lease()), lease) },
    ScopedCall("leases.settle") { ledger.leases.settle(listOf(SettleRequest.of(claim().lease(), Verdict.Succeed(null)))) },
    ScopedCall("leases.release") { ledger.leases.release(listOf(claim().lease()), "SHUTDOWN") },
    ScopedCall("leases.report") { ledger.leases.report(ProgressReport(claim().lease(), Progress.of(1, 2), null, null)) },
    ScopedCall("leases.reportAll") {
        ledger.leases.reportAll(listOf(ProgressReport(claim().lease(), Progress.of(1, 2), null, null)))
    },
    ScopedCall("leases.noteOvertime") { ledger.leases.noteOvertime(claim().lease(), Duration.ofMinutes(1)) },
    ScopedCall("leases.reap") { ledger.leases.reap(10, Duration.ofSeconds(1)) },
    ScopedCall("workflows.expireGates") { workflows.expireGates(10) },
    ScopedCall("workflows.releaseActiveKeys") { workflows.releaseActiveKeys(10) },
    ScopedCall("workflows.needUpkeep") { workflows.needUpkeep() },
    ScopedCall("workflows.prerequisites") { workflows.prerequisites(who.stepJob) },
    ScopedCall("workflows.runContext") { workflows.runContext(who.stepJob, "risk") },
    ScopedCall("schedules.fire") { schedules.fire(10) },
    ScopedCall("schedules.untilNextFire") { schedules.untilNextFire() },
    ScopedCall("triggers.register") { ledger.triggers.register("files", lease) },
    ScopedCall("triggers.untilNextPoll") { ledger.triggers.untilNextPoll(listOf("inbox")) },
    ScopedCall("triggers.take") { poll() },
    ScopedCall("triggers.settle") {
        ledger.triggers.settle(poll(), PollResult.fire("a", JobRequest.builder(Tenant.WAITING, Json.NULL).build()))
    },
    ScopedCall("triggers.fail") { ledger.triggers.fail(poll(), "It broke.") },
    ScopedCall("triggers.release") { ledger.triggers.release(poll()) },
    ScopedCall("workers.list") { ledger.workers.list() },
    ScopedCall("workers.drain") { ledger.workers.drain(WorkerSelection.all(), "Maintenance.") },
    ScopedCall("workers.resume") { ledger.workers.resume(WorkerSelection.all(), "Over.") },
    ScopedCall("workers.resumeAll") { ledger.workers.resumeAll("Over.") },
    ScopedCall("workers.stop") { ledger.workers.stop(WorkerSelection.all(), "Too old.") },
    ScopedCall("workers.awaitDrained") { ledger.workers.awaitDrained(WorkerSelection.all(), lease) },
    ScopedCall("workers.standingOrders") { ledger.workers.standingOrders() },
    ScopedCall("workers.orders") { ledger.workers.orders(10) },
    ScopedCall("workers.enter") { ledger.workers.enter(card("w1")) },
    ScopedCall("workers.beat") { ledger.workers.beat(UUID.randomUUID(), WorkerState.WORKING, 0) },
    ScopedCall("workers.leave") { ledger.workers.leave(UUID.randomUUID()) },
    ScopedCall("logs.append") { ledger.logs.append(LogRequest(who.dead, null, null, LogLevel.INFO, "seen", Json.EMPTY_OBJECT)) },
    ScopedCall("logs.appendAll") {
        ledger.logs.appendAll(listOf(LogRequest(who.dead, null, null, LogLevel.INFO, "seen", Json.EMPTY_OBJECT)))
    },
    ScopedCall("hooks.register") { ledger.hooks.register("other", listOf(Tenant.MAIL)) },
    ScopedCall("hooks.take") { letters() },
    ScopedCall("hooks.delivered") { ledger.hooks.delivered(letters()) },
    ScopedCall("hooks.postpone") { ledger.hooks.postpone(letters().associateWith { lease }) },
    ScopedCall("hooks.forget") { ledger.hooks.forget("pager") },
    ScopedCall("definitions.declare") { ledger.definitions.declare(declared) },
    ScopedCall("definitions.sync") { ledger.definitions.sync(listOf(declared)) },
    ScopedCall("definitions.syncExactly") { ledger.definitions.syncExactly(listOf(declared), listOf("new", Tenant.MAIL)) },
    ScopedCall("definitions.enable") { ledger.definitions.enable("off") },
    ScopedCall("definitions.disable") { ledger.definitions.disable(Tenant.MAIL) },
    ScopedCall("definitions.pause") { ledger.definitions.pause(Tenant.MAIL) },
    ScopedCall("definitions.resume") { ledger.definitions.resume("off") },
    ScopedCall("definitions.change") { ledger.definitions.change(Tenant.MAIL, DefinitionChange.none().withMaxAttempts(7)) },
    ScopedCall("definitions.reset") { ledger.definitions.reset(Tenant.MAIL) },
    ScopedCall("definitions.find") { ledger.definitions.find(Tenant.MAIL) },
    ScopedCall("definitions.get") { ledger.definitions.get(Tenant.MAIL) },
    ScopedCall("definitions.list") { ledger.definitions.list() },
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
    ScopedCall("retention.pruneWorkers") { ledger.retention.pruneWorkers(Duration.ZERO, 100) },
)
