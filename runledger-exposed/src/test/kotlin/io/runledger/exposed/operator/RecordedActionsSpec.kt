package io.runledger.exposed.operator

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.fleet.comes
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.tenant.Tenant
import io.runledger.exposed.tenant.settle
import io.runledger.exposed.workflow.gate
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.flow.LimitValues
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.workflow.AppendRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

private const val ACTOR = "dana@example.org"
private const val WHY = "ticket 4711"

/** A call of an operator, and what its record must say. */
private class Recorded(
    val kind: OperatorActionKind,
    val target: (Tenant) -> OperatorTarget?,
    val changed: Long = 1,
    val isReasoned: Boolean = true,
    val isTenants: Boolean = true,
    val call: Ledger.(Scope, Tenant) -> Any?,
)

private val ofActor = AuditQuery.builder().actor(ACTOR).build()
private val edited = Payload.json("""{"edited":true}""")
private val keep = KeptState.RESET_PROGRESS_AND_CHECKPOINT
private val mail = JobSelection.ofType(Tenant.MAIL)
private val later = Instant.parse("2190-01-01T00:00:00Z")

private val jobCalls = listOf(
    Recorded(OperatorActionKind.JOB_ENQUEUE, { null }, isReasoned = false) { _, who -> jobs.enqueue(who.job(Tenant.MAIL)) },
    Recorded(OperatorActionKind.JOB_ENQUEUE, { OperatorTarget.jobs() }, 2, isReasoned = false) { _, who ->
        jobs.enqueueAll(List(2) { who.job(Tenant.MAIL) })
    },
    Recorded(OperatorActionKind.JOB_ENQUEUE, { OperatorTarget.job(it.waiting) }, 0, isReasoned = false) { _, who ->
        jobs.enqueue(who.job(Tenant.WAITING) { idempotencyKey(who.key) })
    },
    Recorded(OperatorActionKind.JOB_CANCEL, { OperatorTarget.job(it.waiting) }) { scope, who ->
        jobs.cancel(scope, who.waiting, WHY)
    },
    Recorded(OperatorActionKind.JOB_CANCEL, { OperatorTarget.jobs() }) { scope, who ->
        jobs.cancelAll(scope, listOf(who.waiting, who.succeeded), WHY)
    },
    Recorded(OperatorActionKind.JOB_CANCEL, { OperatorTarget.selection() }) { scope, _ ->
        jobs.cancelWhere(scope, mail, WHY, 10)
    },
    Recorded(OperatorActionKind.JOB_CANCEL, { OperatorTarget.selection() }) { scope, _ ->
        jobs.cancelAllWhere(scope, mail, WHY)
    },
    Recorded(OperatorActionKind.JOB_REQUEUE, { OperatorTarget.job(it.dead) }) { scope, who ->
        jobs.requeue(scope, who.dead, WHY)
    },
    Recorded(OperatorActionKind.JOB_RESTART, { OperatorTarget.job(it.dead) }) { scope, who ->
        jobs.restart(scope, who.dead, WHY)
    },
    Recorded(OperatorActionKind.JOB_RESTART, { OperatorTarget.jobs() }, 2) { scope, who ->
        jobs.requeueAll(
            scope,
            listOf(who.dead to JobStatus.DEAD_LETTERED, who.canceled to JobStatus.CANCELED).map { (id, status) ->
                RequeueRequest(id, status, 1, keep, WHY)
            },
        )
    },
    Recorded(OperatorActionKind.JOB_RESTART, { OperatorTarget.selection() }) { scope, _ ->
        jobs.requeueDeadLetters(scope, mail, keep, WHY, 10)
    },
    Recorded(OperatorActionKind.JOB_REQUEUE, { OperatorTarget.selection() }) { scope, _ ->
        jobs.requeueAllDeadLetters(scope, mail, WHY)
    },
    Recorded(OperatorActionKind.JOB_REPLAY, { OperatorTarget.job(it.succeeded) }) { scope, who ->
        jobs.replay(scope, ReplayRequest(who.succeeded, 1, "k", WHY))
    },
    Recorded(OperatorActionKind.JOB_RELEASE_ORDER, { OperatorTarget.job(it.dead) }, 0) { scope, who ->
        jobs.releaseOrder(scope, who.dead, WHY)
    },
    Recorded(OperatorActionKind.JOB_EDIT, { OperatorTarget.job(it.waiting) }) { scope, who ->
        jobs.editPayload(scope, who.waiting, edited, WHY)
    },
    Recorded(OperatorActionKind.JOB_EDIT, { OperatorTarget.job(it.waiting) }, 0) { scope, who ->
        jobs.editPayload(scope, who.waiting, Payload.of(jobs.get(scope, who.waiting).payload()), WHY)
    },
    Recorded(OperatorActionKind.JOB_RUN_NOW, { OperatorTarget.job(it.waiting) }, 0) { scope, who ->
        jobs.runNow(scope, who.waiting, WHY)
    },
    Recorded(OperatorActionKind.JOB_RUN_NOW, { OperatorTarget.selection() }, 0) { scope, _ ->
        jobs.runNowAllWhere(scope, JobSelection.any(), WHY)
    },
    Recorded(OperatorActionKind.JOB_RESCHEDULE, { OperatorTarget.job(it.waiting) }) { scope, who ->
        jobs.reschedule(scope, who.waiting, later, WHY)
    },
    // Two of the tenant's own and two of its schedule.
    Recorded(OperatorActionKind.JOB_RESCHEDULE, { OperatorTarget.selection() }, 4) { scope, _ ->
        jobs.rescheduleAllWhere(scope, JobSelection.ofType(Tenant.WAITING), later, WHY)
    },
    Recorded(OperatorActionKind.JOB_REPRIORITIZE, { OperatorTarget.job(it.waiting) }) { scope, who ->
        jobs.reprioritize(scope, who.waiting, 7, WHY)
    },
    Recorded(OperatorActionKind.JOB_REPRIORITIZE, { OperatorTarget.selection() }, 4) { scope, _ ->
        jobs.reprioritizeAllWhere(scope, JobSelection.ofType(Tenant.WAITING), 7, WHY)
    },
)

private fun approval(who: Tenant) = OperatorTarget.step(who.liveRun, "approval")

private val runCalls = listOf(
    Recorded(OperatorActionKind.WORKFLOW_START, { null }, isReasoned = false) { _, who -> workflows.enqueue(who.run()) },
    Recorded(OperatorActionKind.WORKFLOW_START, { OperatorTarget.runs() }, 2, isReasoned = false) { _, who ->
        workflows.enqueueAll(List(2) { who.run() })
    },
    Recorded(OperatorActionKind.WORKFLOW_START, { OperatorTarget.run(it.liveRun) }, 0, isReasoned = false) { _, who ->
        workflows.enqueueUnlessActive(who.run { activeKey(who.key) })
    },
    Recorded(OperatorActionKind.WORKFLOW_CANCEL, { OperatorTarget.run(it.liveRun) }) { scope, who ->
        workflows.cancel(scope, who.liveRun, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_CANCEL, { OperatorTarget.run(it.failedRun) }, 0) { scope, who ->
        workflows.cancel(scope, who.failedRun, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_PAUSE, { OperatorTarget.run(it.liveRun) }) { scope, who ->
        workflows.pause(scope, who.liveRun, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_PAUSE, { OperatorTarget.run(it.pausedRun) }, 0) { scope, who ->
        workflows.pause(scope, who.pausedRun, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_RESUME, { OperatorTarget.run(it.pausedRun) }) { scope, who ->
        workflows.resume(scope, who.pausedRun, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_APPEND, { approval(it) }, isReasoned = false) { scope, who ->
        workflows.append(scope, AppendRequest.builder(who.liveRun, "k", "approval").apply { gate("new") }.build())
    },
    Recorded(OperatorActionKind.WORKFLOW_EDIT_STEP, { OperatorTarget.step(it.liveRun, "last") }) { scope, who ->
        workflows.editPayload(scope, who.liveRun, "last", edited, WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_RETRY_FAILED, { OperatorTarget.run(it.failedRun) }, 2) { scope, who ->
        workflows.retryFailed(scope, who.failedRun, "k", WHY)
    },
    Recorded(OperatorActionKind.WORKFLOW_RECOVER, { OperatorTarget.run(it.failedRun) }) { scope, who ->
        workflows.recover(scope, RecoveryRequest.of(who.failedRun, "k", WHY))
    },
    Recorded(OperatorActionKind.GATE_COMPLETE, { approval(it) }, isReasoned = false) { scope, who ->
        workflows.completeGate(scope, who.liveRun, "approval")
    },
    Recorded(OperatorActionKind.GATE_FAIL, { approval(it) }, isReasoned = false) { scope, who ->
        workflows.failGate(scope, who.liveRun, "approval", "test.no", "no")
    },
)

private val scheduleCalls = listOf(
    Recorded(OperatorActionKind.SCHEDULE_PAUSE, { OperatorTarget.schedule(it.key) }) { scope, who ->
        schedules.pause(scope, who.key, WHY)
    },
    Recorded(OperatorActionKind.SCHEDULE_RESUME, { OperatorTarget.schedule(it.key) }, 0) { scope, who ->
        schedules.resume(scope, who.key, WHY)
    },
    Recorded(OperatorActionKind.SCHEDULE_RETIME, { OperatorTarget.schedule(it.key) }) { scope, who ->
        schedules.retime(scope, who.key, later, WHY)
    },
    Recorded(OperatorActionKind.SCHEDULE_FIRE, { OperatorTarget.schedule(it.key) }) { scope, who ->
        schedules.fireNow(scope, who.key, WHY)
    },
    // The schedule of the tenant fires every day.
    Recorded(OperatorActionKind.SCHEDULE_BACKFILL, { OperatorTarget.schedule(it.key) }, 2) { scope, who ->
        schedules.backfill(scope, who.key, Instant.parse("2025-01-01T00:00:00Z"), Instant.parse("2025-01-03T00:00:00Z"), WHY)
    },
    Recorded(OperatorActionKind.SCHEDULE_EDIT, { OperatorTarget.schedule(it.key) }) { scope, who ->
        schedules.edit(scope, ScheduleEdit.of(schedules.get(scope, who.key)).cron("@daily").build(), WHY)
    },
    Recorded(OperatorActionKind.SCHEDULE_DELETE, { OperatorTarget.schedule(it.key) }) { scope, who ->
        schedules.delete(scope, who.key, WHY)
    },
)

private val serviceCalls = listOf(
    Recorded(OperatorActionKind.WORKER_DRAIN, { null }, isTenants = false) { _, _ ->
        workers.drain(WorkerSelection.labelled("eu"), WHY)
    },
    Recorded(OperatorActionKind.WORKER_RESUME, { OperatorTarget.workers(null) }, isTenants = false) { _, _ ->
        workers.resumeAll(WHY)
    },
    Recorded(OperatorActionKind.WORKER_STOP, { null }, isTenants = false) { _, _ -> workers.stop(WorkerSelection.all(), WHY) },
    Recorded(OperatorActionKind.DEFINITION_CHANGE, { OperatorTarget.jobType(Tenant.MAIL) }, isTenants = false) { _, _ ->
        definitions.change(Tenant.MAIL, DefinitionChange.builder().maxAttempts(7).build(), WHY)
    },
    Recorded(OperatorActionKind.DEFINITION_PAUSE, { OperatorTarget.jobType(Tenant.MAIL) }, isTenants = false) { _, _ ->
        definitions.pause(Tenant.MAIL, WHY)
    },
    Recorded(OperatorActionKind.DEFINITION_RESUME, { OperatorTarget.jobType(Tenant.MAIL) }, 0, isTenants = false) { _, _ ->
        definitions.resume(Tenant.MAIL, WHY)
    },
    Recorded(OperatorActionKind.DEFINITION_ENABLE, { OperatorTarget.jobType("off") }, isTenants = false) { _, _ ->
        definitions.enable("off", WHY)
    },
    Recorded(OperatorActionKind.DEFINITION_DISABLE, { OperatorTarget.jobType(Tenant.MAIL) }, isTenants = false) { _, _ ->
        definitions.disable(Tenant.MAIL, WHY)
    },
    Recorded(OperatorActionKind.DEFINITION_RESET, { OperatorTarget.jobType(Tenant.MAIL) }, 0, isTenants = false) { _, _ ->
        definitions.reset(Tenant.MAIL, WHY)
    },
    Recorded(OperatorActionKind.LIMIT_CHANGE, { OperatorTarget.limit("api") }, isTenants = false) { _, _ ->
        limits.changePermits("api", 7, WHY)
    },
    Recorded(OperatorActionKind.LIMIT_RESET, { OperatorTarget.limit("api") }, 0, isTenants = false) { _, _ ->
        limits.reset("api", WHY)
    },
    Recorded(OperatorActionKind.QUEUE_PAUSE, { OperatorTarget.queue("imports") }, isTenants = false) { _, _ ->
        queues.pause("imports", WHY)
    },
    Recorded(OperatorActionKind.QUEUE_RESUME, { OperatorTarget.queue("imports") }, 0, isTenants = false) { _, _ ->
        queues.resume("imports", WHY)
    },
    Recorded(OperatorActionKind.LIMIT_CHANGE, { OperatorTarget.queue("imports") }, isTenants = false) { _, _ ->
        queues.limit("imports", LimitValues.permits(1), WHY)
    },
    Recorded(OperatorActionKind.SHARE_WEIGH, { OperatorTarget.share(Tenant.MAIL, "acme") }, isTenants = false) { _, _ ->
        shares.weigh(Tenant.MAIL, "acme", 3, WHY)
    },
)

private val calls = jobCalls + runCalls + scheduleCalls + serviceCalls

/** Each call runs in a transaction that is rolled back, on the same rows. */
class RecordedActionsSpec :
    FunSpec({
        val tenant = Tenant("acme")
        val ledger by lazy {
            freshLedger().define(*Tenant.types, "off").also {
                it.settle(tenant)
                it.run("INSERT INTO runledger.limits (name) VALUES ('api')")
                it.run("UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = 'off'")
                it.client.workers.drain(WorkerSelection.labelled("us"), "earlier")
                it.client.comes("w1", "eu")
            }
        }

        fun <T> TestLedger.trying(work: (Ledger) -> T): T = dataSource.connection.use { connection ->
            connection.autoCommit = false
            work(client.within(connection)).also { connection.rollback() }
        }

        /** The record of the last action, and what [call] returned. */
        fun recordOf(recorded: Recorded, scope: Scope): OperatorAction = ledger.trying { joined ->
            recorded.call(joined.actingAs(ACTOR, "key"), scope, tenant)
            joined.audit.list(Scope.everything(), ofActor).items().single()
        }

        calls.forEachIndexed { index, recorded ->
            test("${recorded.kind.wire()} is recorded (${index + 1})") {
                listOf(tenant.scope, Scope.everything()).forEach { scope ->
                    // All rows of the ledger are those of the tenant.
                    val action = recordOf(recorded, scope)

                    action.kind() shouldBe recorded.kind
                    action.actor() shouldBe ACTOR
                    action.key() shouldBe "key"
                    action.reason() shouldBe if (recorded.isReasoned) WHY else null
                    action.changed() shouldBe recorded.changed
                    action.finishedAt().shouldNotBeNull()
                    recorded.target(tenant)?.let { action.target() shouldBe it }
                    val names = action.target().name() != null || recorded.kind == OperatorActionKind.JOB_ENQUEUE ||
                        recorded.kind == OperatorActionKind.WORKFLOW_START
                    val owner = tenant.organization.takeIf { recorded.isTenants && (names || scope == tenant.scope) }
                    action.organizationId() shouldBe owner
                }
            }
        }

        test("every kind of action but the undo is tried here") {
            calls.map { it.kind }.distinct() shouldContainExactlyInAnyOrder OperatorActionKind.entries - OperatorActionKind.UNDO
        }

        test("the same calls without an actor are not recorded") {
            calls.forEachIndexed { index, recorded ->
                withClue("${recorded.kind.wire()} (${index + 1})") {
                    ledger.trying { joined ->
                        recorded.call(joined, tenant.scope, tenant)
                        joined.audit.list(Scope.everything(), ofActor).items().shouldBeEmpty()
                    }
                }
            }
        }

        test("the record names a new job or run, an order and its workers, and what was selected") {
            ledger.trying { joined ->
                val operator = joined.actingAs(ACTOR)
                val job = operator.jobs.enqueue(tenant.job(Tenant.MAIL))
                val run = operator.workflows.enqueue(tenant.run())
                val order = operator.workers.drain(WorkerSelection.labelled("eu"), WHY).order()
                operator.jobs.cancelAllWhere(
                    tenant.scope,
                    mail.inStatus(JobStatus.PENDING).failedWith("test.no").olderThan(Duration.ofDays(1)),
                    WHY,
                )

                val actions = joined.audit.list(Scope.everything(), ofActor).items()
                actions.map { it.target() } shouldContainExactly listOf(
                    OperatorTarget.selection(),
                    OperatorTarget.workerOrder(order.id()),
                    OperatorTarget.run(run.runId()),
                    OperatorTarget.job(job.id()),
                )
                actions.first().details().text() shouldBe
                    """{"scope": "organization", "selection": {"statuses": ["PENDING"], "job_types": ["mail"], "error_code": "test.no", """ +
                    """"older_than": "PT24H"}}"""
                actions[1].details().text() shouldBe """{"label": "eu"}"""
            }
        }

        test("every condition of a selection is in the record") {
            val all = JobSelection(listOf("a"), setOf(JobStatus.PENDING), "code", "message", Duration.ZERO, "imports")

            (all.storedForm(Scope.global()).getValue("selection") as Map<*, *>).size shouldBe JobSelection::class.java.recordComponents.size
        }

        test("the lines of the journals name the actor and the action") {
            fun lines(joined: Ledger, call: (Ledger) -> Unit): Pair<UUID, List<String>> {
                call(joined.actingAs(ACTOR))
                val id = joined.audit.list(Scope.everything(), ofActor).items().first().id()
                val events = listOf(tenant.waiting, tenant.dead).flatMap { joined.jobs.events(tenant.scope, it).items() }
                    .map { it.payload() }
                val steps = joined.workflows.events(tenant.scope, tenant.liveRun).items().map { it.payload() } +
                    joined.workflows.events(tenant.scope, tenant.failedRun).items().map { it.payload() }
                val marks = listOf("\"action\": \"$id\"", "\"actor\": \"$ACTOR\"")
                return id to (events + steps).map { it.text() }.filter { text -> marks.all { it in text } }
            }

            listOf<(Ledger) -> Unit>(
                { it.jobs.cancel(tenant.scope, tenant.waiting, WHY) },
                { it.jobs.requeue(tenant.scope, tenant.dead, WHY) },
                { it.jobs.editPayload(tenant.scope, tenant.waiting, edited, WHY) },
                { it.jobs.reschedule(tenant.scope, tenant.waiting, later, WHY) },
                { it.jobs.reprioritize(tenant.scope, tenant.waiting, 7, WHY) },
                { it.workflows.editPayload(tenant.scope, tenant.liveRun, "last", edited, WHY) },
            ).forEach { call -> ledger.trying { joined -> lines(joined, call).second.size shouldBe 1 } }
            ledger.trying { joined ->
                // The two reset steps.
                lines(joined) { it.workflows.retryFailed(tenant.scope, tenant.failedRun, "k", WHY) }.second.size shouldBe 2
            }
        }

        test("a refused call records nothing, whether it throws or not") {
            val other = Scope.organization(UUID.randomUUID())
            listOf<(Ledger) -> Any?>(
                { it.jobs.cancel(tenant.scope, tenant.succeeded, WHY) },
                { it.jobs.cancel(other, tenant.waiting, WHY) },
                { it.jobs.cancelAll(tenant.scope, listOf(tenant.succeeded, UUID.randomUUID()), WHY) },
                { it.jobs.requeue(tenant.scope, tenant.leased, WHY) },
                { it.jobs.requeue(tenant.scope, RequeueRequest(tenant.dead, JobStatus.DEAD_LETTERED, 9, keep, WHY)) },
                { it.jobs.replay(tenant.scope, ReplayRequest(tenant.dead, 1, "k", WHY)) },
                { it.jobs.editPayload(tenant.scope, tenant.leased, edited, WHY) },
                { it.jobs.runNow(tenant.scope, tenant.succeeded, WHY) },
                { it.jobs.enqueue(tenant.job("unknown")) },
                { it.workflows.pause(other, tenant.liveRun, WHY) },
                { it.workflows.completeGate(tenant.scope, tenant.liveRun, "only") },
                { it.schedules.pause(other, tenant.key, WHY) },
                { it.schedules.delete(other, tenant.key, WHY) },
                { it.definitions.pause("unknown", WHY) },
                { it.audit.undo(tenant.scope, UUID.randomUUID(), WHY) },
            ).forEachIndexed { index, call ->
                withClue("call ${index + 1}") {
                    ledger.trying { joined ->
                        try {
                            call(joined.actingAs(ACTOR, "key"))
                        } catch (_: RunledgerException) {
                            // A refusal that throws.
                        }
                        joined.audit.list(Scope.everything(), ofActor).items().shouldBeEmpty()
                    }
                }
            }
        }

        test("an actor and a key are short visible texts") {
            listOf("", " ", "a\u0000", "x".repeat(256)).forEach { name ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.actingAs(name) }
            }
            listOf("", "\n", "x".repeat(513)).forEach { key ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.actingAs(ACTOR, key) }
            }
        }
    })
