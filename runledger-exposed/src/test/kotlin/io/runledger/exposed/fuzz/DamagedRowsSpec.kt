package io.runledger.exposed.fuzz

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.deliveries
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.settle
import io.runledger.exposed.upkeep
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.gate
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.json.Json
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.UUID

/**
 * The calls of a worker's loops, over rows that were damaged by hand or that a newer version wrote: no pass fails,
 * the other rows are processed, and the row itself becomes a dead letter with a code or is not changed.
 */
class DamagedRowsSpec :
    FunSpec({
        val shared by lazy {
            freshLedger().define("mail", Flow.TYPE).tomorrow().also {
                it.run("ALTER TABLE runledger.workflow_runs ADD CHECK (waiting_steps >= 0)")
            }
        }
        val broken = Verdict.DeadLetter(
            JobFailure.terminal("test.broken", "It broke."),
            DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
        )

        fun TestLedger.damage(table: String, change: String, id: Any) =
            run("UPDATE runledger.$table SET $change WHERE id = '$id'")

        /** Two jobs, the first of them damaged: the claim brings the second, and parks or keeps the first. */
        fun pending(change: String, code: String?) =
            test("a pending job with ${change.take(60)} does not disturb its neighbour") {
                val ledger = shared.emptied()
                val bad = ledger.enqueue().id()
                val good = ledger.enqueue().id()
                ledger.damage("job_queue", change, bad)

                val claimed = ledger.claim() + ledger.claim()

                claimed.map { it.lease().jobId() }.filter { it != bad } shouldContainExactly listOf(good)
                ledger.client.leases.untilDue(listOf("mail"))
                ledger.client.health()
                if (code != null) {
                    claimed.map { it.lease().jobId() } shouldContainExactly listOf(good)
                    ledger.value("SELECT status, last_error_code FROM runledger.job_queue WHERE id = '$bad'") shouldBe
                        "DEAD_LETTERED|$code"
                }
            }
        pending("payload = '$bottomless'", "job.invalid_payload")
        pending("checkpoint = '$bottomless'", "job.invalid_payload")
        pending("retry_policy = '$bottomless'", "job.invalid_payload")
        pending("max_attempts = -3", "db.business_rule_violation")
        pending("max_attempts = NULL", "db.business_rule_violation")
        pending("interruptions = 7", "db.business_rule_violation")
        pending("interruptions = -7", "db.business_rule_violation")
        pending("timeout_seconds = 0", "db.business_rule_violation")
        pending("run_number = -1", "db.business_rule_violation")
        pending("attempt = -9", "db.business_rule_violation")
        pending("attempt = 2147483647", null)
        pending("job_type = 'nobody knows'", null)
        pending("status = 'FROM_TOMORROW'", null)
        pending("next_run_at = 'infinity'", null)
        pending("next_run_at = '-infinity', priority = -2147483648", null)
        pending("stage = 'from tomorrow'", null)
        pending("is_step = true", null)
        pending("created_at = '-infinity', updated_at = 'infinity', organization_id = '${UUID(0, 0)}'", null)

        /** Two expired leases, the first of them damaged: the second is taken over. */
        fun leased(change: String) = test("an expired lease with ${change.take(60)} does not disturb its neighbour") {
            val ledger = shared.emptied()
            val (bad, good) = List(2) { ledger.enqueue().id() }
            ledger.claim()
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")
            ledger.damage("job_queue", change, bad)

            val reaped = List(3) { ledger.client.leases.reap(10, Duration.ofHours(1)) }.flatten()

            reaped.filter { it.result() == ReapedJob.Result.RETRY_SCHEDULED }.map { it.lease().jobId() } shouldContain good
            reaped.count { it.lease().jobId() == bad } shouldBe reaped.map { it.lease().jobId() }.toSet().minus(good).size
            ledger.client.health()
        }
        leased("worker_id = NULL")
        leased("lease_id = NULL")
        leased("lease_expires_at = NULL")
        leased("lease_expires_at = '-infinity'")
        leased("leased_at = NULL, lease_seconds = NULL, claim_origin = NULL")
        leased("claim_origin = 'FROM_TOMORROW'")
        leased("attempt = 0")
        leased("attempt = NULL")
        leased("run_number = -2")
        leased("max_attempts = NULL")
        leased("status = 'FROM_TOMORROW'")
        leased("payload = NULL, max_attempts = 0")
        leased("is_step = true")

        /** Two due schedules, the first of them damaged: the second fires, and the first is put off with a reason. */
        fun due(change: String, isDeferred: Boolean = true) =
            test("a due schedule with ${change.take(60)} does not disturb its neighbour") {
                val ledger = shared.emptied()
                val (bad, good) = listOf("bad", "good").map { name ->
                    val request = ScheduleRequest.builder(name, "mail", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).build()
                    ledger.client.schedules.upsert(request).id()
                }
                ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() - interval '10 seconds'")
                ledger.damage("job_schedules", change, bad)

                val passes = List(2) { ledger.client.dueSchedules.fire(10) }

                passes.flatMap { it.fired() }.filter { it.scheduleId() == good }.size shouldBe 1
                passes.flatMap { it.deferred() }.map { it.name() } shouldBe if (isDeferred) listOf("bad") else emptyList()
                ledger.client.dueSchedules.untilNextFire()
            }
        due("kind = 'FROM_TOMORROW'")
        due("kind = NULL")
        due("kind = 'WORKFLOW', job_type = NULL, workflow_type = 'flow', workflow_request = '{}'")
        due("kind = 'WORKFLOW', job_type = NULL, workflow_type = NULL, workflow_request = '$bottomless'")
        due("deferred_from = now() + interval '1 day'", isDeferred = false)
        due("misfire_policy = 'FROM_TOMORROW'")
        due("overlap_policy = 'FROM_TOMORROW'")
        due("payload_template = '$bottomless'")
        due("cron_expr = 'every other tuesday', interval_seconds = NULL")
        due("interval_seconds = NULL")
        due("interval_seconds = 0")
        due("interval_seconds = -5")
        due("timezone = 'Mars/Phobos', cron_expr = '0 0 3 * * *', interval_seconds = NULL")
        due("timezone = NULL", false)
        due("anchor_at = 'infinity'")
        due("anchor_at = NULL")
        due("next_fire_at = '-infinity'")
        due(
            "misfire_policy = 'ALL', misfire_limit = 2147483647, interval_seconds = 1, anchor_at = '1900-1-1', " +
                "next_fire_at = '1900-1-1'",
            false,
        )
        due("misfire_policy = 'ALL', misfire_limit = -1")
        due("job_type = 'nobody knows'")
        due("next_fire_at = 'infinity'", false)
        due("max_jitter_seconds = -100")

        /** Two runs with an overdue gate, the first of them damaged: the gate of the second is ended. */
        fun overdue(table: String, change: String) =
            test("an overdue gate in $table with $change does not disturb its neighbour") {
                val flow = Flow(shared.emptied())
                val idColumn = if (table == "workflow_runs") "id" else "workflow_run_id"
                val (bad, good) = List(2) { flow.start { gate("approval") { expiresAfter(Duration.ofDays(1)) } } }
                flow.ledger.run(
                    "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second'",
                    "UPDATE runledger.$table SET $change WHERE $idColumn = '$bad'",
                )

                val expired = List(2) { flow.client.upkeep.expireGates(10) }.flatten()

                expired.map { it.runId() } shouldContain good
                flow.client.upkeep.releaseActiveKeys(10).shouldBeEmpty()
            }
        overdue("workflow_runs", "waiting_steps = 0")
        overdue("workflow_runs", "status = 'FROM_TOMORROW'")
        overdue("workflow_runs", "waiting_steps = NULL")
        overdue("workflow_step_rows", "expiry_outcome = 'FROM_TOMORROW'")
        overdue("workflow_step_rows", "expiry_outcome = 'ASKED_AGAIN'")
        overdue("workflow_step_rows", "expiry_outcome = NULL")
        overdue("workflow_step_rows", "execution_kind = 'FROM_TOMORROW'")

        /** Two dead letters for a hook, the first of them damaged: the second is handed over. */
        fun letter(change: String) = test("a dead letter with ${change.take(60)} does not disturb its neighbour") {
            val ledger = shared.emptied()
            ledger.client.deliveries.register("hook", listOf("mail"))
            val (bad, good) = List(2) { ledger.enqueue().id() }
            ledger.claim().forEach { ledger.settle(it, broken) }
            ledger.run("UPDATE runledger.job_dead_letters SET $change WHERE job_id = '$bad'")

            val taken = List(2) { ledger.client.deliveries.take("hook", listOf("mail"), 10, Duration.ofHours(1)) }.flatten()

            taken.map { it.letter().jobId() } shouldContain good
        }
        letter("reason = 'FROM_TOMORROW'")
        letter("kind = 'FROM_TOMORROW'")
        letter("payload_snapshot = '$bottomless'")
        letter("payload_snapshot = NULL")
        letter("failed_at = NULL, created_at = NULL")
        letter("attempt = NULL, error_code = NULL, error_message = NULL")
    })
