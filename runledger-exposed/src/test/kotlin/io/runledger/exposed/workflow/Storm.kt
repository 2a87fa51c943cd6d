package io.runledger.exposed.workflow

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.about
import io.runledger.exposed.leases
import io.runledger.exposed.upkeep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Lease
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.Upstream
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/** One run that all threads change in every way. A refusal must have a documented reason. */
internal class Storm(private val flow: Flow, private val isCanceled: Boolean) {
    private val client = flow.client
    private val everything = Scope.everything()
    private val keys = ConcurrentLinkedQueue(List(6) { "s$it" })
    private val names = AtomicInteger()
    private val run: UUID = flow.start {
        gate(WINDOW)
        keys.reversed().forEach { work(it) { maxAttempts(2).mayContinue() } }
    }

    fun blow(thread: Int, random: Random) = repeat(OPERATIONS) { turn ->
        if (isCanceled && thread == 0 && turn == OPERATIONS / 2) client.workflows.cancel(everything, run, "stop")
        tolerating {
            when (random.nextInt(12)) {
                in 0..3 -> workSome(random)
                in 4..5 -> appendSome(random)
                6 -> gates(random)
                7 -> client.jobs.cancelAll(everything, jobs("PENDING").shuffled(random).take(2))
                8 -> reap(random)
                9 -> client.workflows.pause(everything, run)
                10 -> client.workflows.resume(everything, run)
                else -> client.workflows.editPayload(everything, run, keys.random(random), Payload.of(turn), "storm")
            }
        }
    }

    private fun workSome(random: Random) {
        val claimed = flow.claim(random.nextInt(1, 6)).values.toList()
        if (random.nextInt(4) == 0) client.leases.renew(claimed.map { it.lease() }, Duration.ofMinutes(1))
        if (random.nextInt(5) == 0) {
            flow.releaseSurely(claimed)
        } else {
            settle(claimed.shuffled(random).associate { it.lease() to verdict(random).about(it) })
        }
    }

    private fun verdict(random: Random): Verdict = when (random.nextInt(6)) {
        0 -> again
        1 -> Verdict.Cancel("storm")
        2 -> Verdict.Continue(null, null, Duration.ZERO)
        else -> Verdict.Succeed(null)
    }

    private fun settle(verdicts: Map<Lease, Verdict>) {
        var left = verdicts
        while (left.isNotEmpty()) {
            val busy = client.leases.settle(left).filter { it.result() == SettledJob.Result.BUSY }.map { it.lease() }.toSet()
            left = left.filterKeys { it in busy }
        }
    }

    private fun appendSome(random: Random) {
        val new = List(3) { "n${names.incrementAndGet()}" }
        flow.append(run, new.first(), WINDOW) {
            work(new[0], Upstream.named(new[1]).onTerminal(), Upstream.named(keys.random(random)).onTerminal())
            gate(new[1], Upstream.named(keys.random(random)).onTerminal()) { expiresAfter(Duration.ofDays(1)) }
            work(new[2], Upstream.named(keys.random(random))) { maxAttempts(2) }
        }
        keys += new
    }

    private fun gates(random: Random) {
        openGates().shuffled(random).take(3).forEach { gate ->
            if (random.nextInt(3) == 0) {
                flow.passDeadline(run, gate)
                client.upkeep.expireGates(10)
            } else {
                client.workflows.completeGate(everything, GateCompletion.succeeded(run, gate))
            }
        }
    }

    private fun reap(random: Random) {
        jobs("LEASED").shuffled(random).take(2).forEach(flow::expireLease)
        client.leases.reap(10, Duration.ofMillis(1))
    }

    private fun openGates() = flow.ledger.rows(
        "SELECT step_key FROM runledger.workflow_steps " +
            "WHERE workflow_run_id = '$run' AND status = 'WAITING_FOR_EXTERNAL' AND step_key <> '$WINDOW'",
    )

    private fun jobs(status: String) =
        flow.ledger.rows("SELECT id FROM runledger.job_queue WHERE status = '$status'").map(UUID::fromString)

    /** A step, a gate or the run itself may have ended meanwhile; nothing else may go wrong. */
    private fun tolerating(operation: () -> Unit) {
        try {
            operation()
        } catch (refused: RunledgerException) {
            if (refused.code() !in refusals) throw refused
        }
    }

    /** Does what is left to do; then the run must have ended. */
    fun calm() {
        client.workflows.resume(everything, run)
        jobs("LEASED").forEach(flow::expireLease)
        do {
            val reaped = client.leases.reap(100, Duration.ofMillis(1))
            val claimed: Collection<ClaimedJob> = flow.claim().values
            settle(claimed.associate { it.lease() to Verdict.Succeed(null) })
            val open = openGates().onEach { flow.complete(run, it) }
            val isBusy = reaped.isNotEmpty() || claimed.isNotEmpty() || open.isNotEmpty() || jobs("PENDING").isNotEmpty()
            if (!isBusy && !isCanceled) flow.complete(run, WINDOW)
        } while (isBusy)
        flow.ledger.value("SELECT finished_at IS NOT NULL FROM runledger.workflow_runs WHERE id = '$run'") shouldBe "t"
        flow.steps(run).filterNot { it.substringAfter(' ') in ENDS }.shouldBeEmpty()
        if (isCanceled) flow.status(run) shouldBe "CANCELED"
    }

    private companion object {
        const val WINDOW = "window"
        const val OPERATIONS = 40
        val ENDS = setOf("SUCCEEDED", "FAILED", "CANCELED")
        val refusals = setOf(
            ErrorCode.APPEND_TERMINAL_RUN,
            ErrorCode.APPEND_WINDOW_NOT_OPEN,
            ErrorCode.GATE_CONFLICTING_COMPLETION,
            ErrorCode.STEP_STATE,
        )
    }
}
