package io.runledger.exposed.schema

import io.runledger.exposed.triggers
import io.runledger.exposed.deliveries

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.catalog.entries
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.tenant.Answer
import io.runledger.exposed.tenant.Bystander
import io.runledger.exposed.tenant.Caller
import io.runledger.exposed.tenant.FacadeFunction
import io.runledger.exposed.tenant.ScopedCall
import io.runledger.exposed.tenant.Tenant
import io.runledger.exposed.tenant.namingCalls
import io.runledger.exposed.tenant.scopedCalls
import io.runledger.exposed.tenant.settle
import io.runledger.model.error.ErrorCode
import java.sql.Connection
import java.time.Duration

/**
 * Tries every function of the facades with the rights of every role. The lowest intended role and all roles above it can call it,
 * and the others are refused.
 */
class RoleRightsSpec :
    FunSpec({
        val roles = listOf("reader", "producer", "worker", "operator")
        val tenant = Tenant("acme")
        val ledger by lazy {
            freshLedger().define(*Tenant.types, "off").also {
                it.client.deliveries.register("pager", listOf(Tenant.MAIL))
                it.client.triggers.register("inbox", Duration.ofMinutes(1))
                it.settle(tenant)
                it.run(
                    checkNotNull(RunledgerClient::class.java.getResource("roles.sql")).readText(),
                    "INSERT INTO runledger.limits (name, permits, is_changed) VALUES ('api', 1, false), ('changed', 1, true)",
                    "UPDATE runledger.job_definitions SET is_enabled = false, is_paused = true WHERE job_type = 'off'",
                    "UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '${tenant.leased}'",
                    "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second' WHERE is_open_gate",
                    "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '1 second'",
                )
            }
        }
        val bystander by lazy { Bystander(ledger) }
        afterSpec { bystander.close() }

        fun isRefused(call: ScopedCall, role: String): Boolean =
            bystander.trying(Connection.TRANSACTION_READ_COMMITTED) { connection, joined ->
                connection.createStatement().use { it.execute("SET LOCAL ROLE runledger_$role") }
                "refused: ${ErrorCode.PERMISSION_DENIED}" in Answer.of { call.call(Caller(joined, tenant, tenant)) }.text
            }

        val calls = scopedCalls + namingCalls + serviceCalls

        test("every function is tried that asks the database on behalf of its caller") {
            val tried = calls.map { it.name }.toSet()
            // pruneSucceeded and pruneSucceededRuns only call prune and pruneRuns.
            val elsewhere = Regex("client\\..*|(worker\\.)?signals\\..*|worker\\.starts\\..*|.*\\.(preview|describe|retryPolicy|retryPolicyOf|pruneSucceeded|pruneSucceededRuns)")

            FacadeFunction.all().map { it.name }.filterNot { it in tried || it.matches(elsewhere) }.shouldBeEmpty()
        }

        calls.distinctBy { it.name }.forEach { call ->
            val least = leastRole(call.name)
            test("${call.name} takes a $least") {
                val may = roles.filterNot { isRefused(call, it) }

                may shouldBe roles.drop(roles.indexOf(least))
            }
        }
    })

/** The lowest role that may call the function. All roles may call functions that only read. */
private fun leastRole(name: String): String = leastRoles.entries.firstOrNull { (_, names) -> name in names }?.key ?: "reader"

/**
 * Rights apply to tables: a role that can end jobs and steps can also cancel, requeue and edit them, and a role that moves a
 * schedule to its next instant can also pause it. Only the operator may write or delete history of its own.
 */
private val leastRoles = mapOf(
    "producer" to setOf(
        "jobs.enqueue",
        "jobs.enqueueAll",
        "workflows.enqueue",
        "workflows.enqueueAll",
        "workflows.enqueueUnlessActive",
    ),
    "worker" to setOf(
        "worker.leases.claim", "worker.leases.claimNew", "worker.leases.renew", "worker.leases.recordStarts",
        "worker.leases.settle", "worker.leases.release", "worker.leases.report", "worker.leases.reportAll", "worker.leases.reap",
        "worker.leases.noteOvertime",
        "worker.upkeep.expireGates", "worker.upkeep.releaseActiveKeys", "worker.schedules.fire", "logs.append", "logs.appendAll",
        "worker.hooks.register", "worker.hooks.take", "worker.hooks.delivered", "worker.hooks.postpone",
        "jobs.cancel", "jobs.cancelAll", "jobs.cancelWhere", "jobs.cancelAllWhere", "jobs.requeue", "jobs.requeueAll", "jobs.restart",
        "jobs.requeueDeadLetters", "jobs.requeueAllDeadLetters",
        "jobs.runNow", "jobs.reschedule", "jobs.snooze", "jobs.reprioritize", "jobs.runNowAllWhere", "jobs.rescheduleAllWhere",
        "jobs.snoozeAllWhere", "jobs.reprioritizeAllWhere",
        "jobs.releaseOrder", "jobs.editPayload", "workflows.completeGate", "workflows.failGate", "workflows.cancel", "workflows.pause", "workflows.resume",
        "workflows.append", "workflows.editPayload", "workflows.retryFailed", "schedules.syncExactly",
        "schedules.backfill", "schedules.edit", "schedules.pause", "schedules.resume", "schedules.retime", "schedules.fireNow", "worker.triggers.register",
        "worker.triggers.take", "worker.triggers.settle", "worker.triggers.fail", "worker.triggers.release",
        "worker.fleet.enter", "worker.fleet.beat", "worker.fleet.leave", "retention.pruneWorkers", "retention.pruneLimitKeys",
    ),
    "operator" to setOf(
        "jobs.replay", "workflows.recover", "schedules.upsert", "schedules.sync", "schedules.delete", "hooks.remove",
        "definitions.declare", "definitions.sync", "definitions.syncExactly", "definitions.enable", "definitions.disable",
        "limits.change", "limits.changePermits", "limits.changeRate", "limits.reset", "queues.pause", "queues.resume", "queues.limit",
        "shares.weigh",
        "definitions.pause", "definitions.resume", "definitions.change", "definitions.reset", "configs.put", "configs.putIfMissing",
        "retention.prune", "retention.pruneRuns", "retention.pruneFires", "retention.prunePolls", "workers.drain", "workers.resume",
        "workers.resumeAll", "workers.stop", "audit.undo", "retention.pruneActions",
    ),
)
