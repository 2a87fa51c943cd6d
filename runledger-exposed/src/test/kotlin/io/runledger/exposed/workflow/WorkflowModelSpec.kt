package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/**
 * Random graphs with all kinds of dependencies, conditions, gates, deadlines, retries, failures, appends, pauses and
 * cancellations, driven by several workers at once on a real server, must end as a plain walk through each graph says.
 * `-Drunledger.graphs=5000` drives more, `-Drunledger.seed=…` the same again.
 */
class WorkflowModelSpec :
    FunSpec({
        val graphs = Integer.getInteger("runledger.graphs", 200)
        val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()

        test("every run ends as the plain walk says, and so does its retry") {
            val flow = flow()
            withClue("seed $seed") {
                val random = Random(seed)
                repeat((graphs + BATCH - 1) / BATCH) { round ->
                    withClue("round $round") {
                        drive(flow, List(BATCH) { RandomRun(Random(random.nextLong()), size(random)) }, random)
                    }
                }
                flow.ledger.value("SELECT count(*) FROM runledger.workflow_run_journal").toInt() shouldBeGreaterThan graphs / 10
                flow.ledger.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") shouldBe "0"
            }
        }
    })

private const val BATCH = 25
private const val WORKERS = 4

/** Mostly small, now and then large. */
private fun size(random: Random) = if (random.nextInt(20) == 0) random.nextInt(50, 201) else random.nextInt(1, 16)

private fun drive(flow: Flow, planned: List<RandomRun>, random: Random) {
    val driven = DrivenRuns(flow, Duration.ofMinutes(5))
    flow.client.workflows.enqueueAll(planned.map { it.request }).zip(planned) { run, plan -> driven.runs[run.runId()] = plan }
    finish(flow, driven, random)

    val ended = driven.runs.mapValues { (run, _) -> ends(flow, run) }
    driven.runs.forEach { (run, plan) -> judge(flow, run, plan, ended.getValue(run), plan.expected()) }

    val broken = driven.runs.filterKeys { flow.status(it) == "COMPLETED_WITH_ERRORS" }
    broken.forEach { (run, plan) ->
        plan.mend()
        val retry = RetryFailedRequest(run, "again", "mended")
        val reset = flow.client.workflows.retryFailed(Scope.everything(), retry).stepKeys()
        reset.shouldNotBeEmpty()
        flow.client.workflows.retryFailed(Scope.everything(), retry).stepKeys() shouldBe reset
    }
    finish(flow, driven, random)
    broken.forEach { (run, plan) ->
        val kept = ended.getValue(run).filterValues { it == WorkflowStepStatus.SUCCEEDED }
        judge(flow, run, plan, ends(flow, run), plan.expected(kept))
    }
    flow.contradictions().shouldBeEmpty()
}

/** Runs all workers at once until no run is live, or until no worker has found work for very long. */
private fun finish(flow: Flow, driven: DrivenRuns, random: Random) {
    val idle = AtomicInteger()
    val seeds = List(WORKERS + 3) { random.nextLong() }
    racing(WORKERS + 3) { place ->
        val own = Random(seeds[place])
        if (place == WORKERS + 1) {
            driven.cancelSome(own)
        } else if (place == WORKERS + 2) {
            while (idle.get() < STUCK && live(flow).isNotEmpty()) driven.pauseSome(own)
        } else {
            while (idle.get() < STUCK && (idle.get() == 0 || live(flow).isNotEmpty())) {
                val isBusy = if (place == WORKERS) driven.attend(own) else driven.work("w$place", own)
                if (isBusy) idle.set(0) else idle.incrementAndGet()
            }
        }
    }
    withClue("runs that are stuck") { live(flow).shouldBeEmpty() }
}

/** More rounds without work than any pause causes. */
private const val STUCK = 20_000

private fun live(flow: Flow) = flow.ledger.rows("SELECT id FROM runledger.workflow_runs WHERE finished_at IS NULL")

private fun ends(flow: Flow, run: UUID): Map<String, WorkflowStepStatus> = flow.steps(run).associate { line ->
    val (key, status) = line.split(" ")
    key to WorkflowStepStatus.valueOf(status)
}

private fun judge(
    flow: Flow,
    run: UUID,
    plan: RandomRun,
    ends: Map<String, WorkflowStepStatus>,
    expected: Map<String, WorkflowStepStatus>,
) {
    val status = flow.status(run)
    if (status == "CANCELED") {
        // It was canceled: steps that ended before that ended as planned.
        plan.isCanceled shouldBe true
        ends.filterValues { it != WorkflowStepStatus.CANCELED }.forEach { (key, end) -> end shouldBe expected[key] }
    } else {
        ends shouldBe expected
        status shouldBe if (plan.hasErrors(expected)) "COMPLETED_WITH_ERRORS" else "SUCCEEDED"
    }
}
