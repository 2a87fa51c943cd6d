package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.runledger.exposed.about
import io.runledger.exposed.leases
import io.runledger.exposed.upkeep
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.PausedRun
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import kotlin.random.Random

/** Random runs, and the actions of workers, people and the clock until all of them have ended. */
class DrivenRuns(private val flow: Flow, private val lease: Duration) {
    private val client = flow.client
    val runs = ConcurrentHashMap<UUID, RandomRun>()

    /** Claims some jobs and ends each as planned; false when there was nothing to claim. */
    fun work(worker: String, random: Random): Boolean {
        val claimed = client.leases.claim(ClaimRequest.of(listOf(Flow.TYPE), worker, lease, random.nextInt(1, 40)))
        claimed.shuffled(random).chunked(random.nextInt(1, 20)).forEach { settle(it) }
        return claimed.isNotEmpty()
    }

    private fun settle(jobs: List<ClaimedJob>) {
        var left = jobs.associate { it.lease() to verdict(it).about(it) }
        while (left.isNotEmpty()) {
            val busy = client.leases.settle(left).filter { it.result() == SettledJob.Result.BUSY }.map { it.lease() }.toSet()
            left = left.filterKeys { it in busy }
        }
    }

    private fun verdict(job: ClaimedJob): Verdict {
        val step = job.step()!!
        val plan = runs.getValue(step.runId()).plans.getValue(step.stepKey())
        val failure = JobFailure.retryable("test.broken", "It broke.")
        return when {
            job.lease().attempt() <= plan.retries -> Verdict.Retry(failure, Duration.ZERO, null)
            plan.end == WorkflowStepStatus.SUCCEEDED -> Verdict.Succeed(null)
            plan.end == WorkflowStepStatus.CANCELED -> Verdict.Cancel("planned")
            else -> Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
        }
    }

    /** Appends the remaining steps and completes open gates, each as planned; false if there was nothing to do. */
    fun attend(random: Random): Boolean {
        val open = flow.ledger.rows(
            "SELECT workflow_run_id, step_key FROM runledger.workflow_steps WHERE status = 'WAITING_FOR_EXTERNAL'",
        ).shuffled(random)
        open.forEach { row ->
            val (run, key) = row.split("|")
            attend(UUID.fromString(run), key, random)
        }
        return client.upkeep.expireGates(LIMIT).isNotEmpty() || open.isNotEmpty()
    }

    private fun attend(run: UUID, key: String, random: Random) {
        val planned = runs.getValue(run)
        if (key == RandomRun.WINDOW) {
            appends.computeIfAbsent(run) { planned.appends(run) }.forEach { batch ->
                repeat(random.nextInt(1, 3)) { tolerating(planned) { client.workflows.append(Scope.everything(), batch) } }
            }
            tolerating(planned) { client.workflows.completeGate(Scope.everything(), GateCompletion.succeeded(run, key)) }
        } else if (planned.plans.getValue(key).expires) {
            flow.ledger.run(
                "UPDATE runledger.workflow_step_rows SET expires_at = now() - interval '1 second' " +
                    "WHERE workflow_run_id = '$run' AND step_key = '$key' AND status = 'WAITING_FOR_EXTERNAL'",
            )
        } else {
            val completion = when (planned.plans.getValue(key).end) {
                WorkflowStepStatus.SUCCEEDED -> GateCompletion.succeeded(run, key)
                WorkflowStepStatus.FAILED -> GateCompletion.failed(run, key, "test.no", "No.")
                else -> GateCompletion.canceled(run, key, "planned")
            }
            tolerating(planned) { client.workflows.completeGate(Scope.everything(), completion) }
        }
    }

    /** A run that is canceled meanwhile may refuse anything; any other must refuse nothing. */
    private fun tolerating(run: RandomRun, action: () -> Unit) {
        try {
            action()
        } catch (refused: RunledgerException) {
            if (!run.isCanceled || refused.category() !in refusals) throw refused
        }
    }

    /** Cancels the planned runs, once each, while workers run their steps. */
    fun cancelSome(random: Random) {
        runs.filterValues { it.isCanceled }.keys.shuffled(random).forEach {
            client.workflows.cancel(Scope.everything(), it, "stop")
        }
    }

    /**
     * Pauses a few runs while workers run their steps, works itself, and resumes them. Until then no attempt of these runs may
     * have begun.
     */
    fun pauseSome(random: Random) {
        val paused = runs.keys.shuffled(random).take(FEW).filter {
            client.workflows.pause(Scope.everything(), it, "model").result() == PausedRun.Result.PAUSED
        }
        val before = paused.associateWith(::claims)
        repeat(random.nextInt(1, FEW)) { work("pauser", random) }
        paused.shuffled(random).forEach {
            withClue("claims of paused run $it") { claims(it) shouldBe before.getValue(it) }
            client.workflows.resume(Scope.everything(), it, "model")
        }
    }

    /** How often a job of the run was claimed: each time it ended, and those that have not. */
    private fun claims(run: UUID): Int = flow.ledger.value(
        "SELECT count(*) FILTER (WHERE q.status = 'LEASED') + coalesce(sum((SELECT count(*) FROM runledger.job_attempts a " +
            "WHERE a.job_id = q.id)), 0) FROM runledger.workflow_steps s JOIN runledger.job_queue q ON q.id = s.job_id " +
            "WHERE s.workflow_run_id = '$run'",
    ).toInt()

    private val appends = ConcurrentHashMap<UUID, List<AppendRequest>>()

    private companion object {
        const val LIMIT = 1000
        const val FEW = 4
        val refusals = setOf(
            ErrorCategory.VALIDATION,
            ErrorCategory.CONFLICT,
        )
    }
}
