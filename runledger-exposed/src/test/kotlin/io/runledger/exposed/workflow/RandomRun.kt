package io.runledger.exposed.workflow

import io.runledger.model.condition.Condition
import io.runledger.model.condition.StepEnding
import io.runledger.model.json.Json
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID
import kotlin.random.Random

/** How a step is going to end if it gets to run: after how many failed attempts, and how. Gates may be left to their deadline. */
class Plan(val retries: Int, val end: WorkflowStepStatus, val expires: Boolean)

/**
 * A random graph with a plan for each of its steps, and the plain answer to how each step must end: walk the steps in order, run
 * those whose dependencies are satisfied and whose condition is true, cancel or skip the others. A graph with a window gets the
 * rest of its steps appended.
 */
class RandomRun(private val random: Random, size: Int) {
    private val keys = List(size) { "s$it" }
    private val gates = keys.filter { random.nextInt(6) == 0 }.toSet()
    private val hasWindow = random.nextInt(3) == 0
    private val declared = if (hasWindow) random.nextInt(1, size + 1) else size
    private val edges: Map<String, List<Dependency>> = keys.mapIndexed { place, key -> key to dependencies(place) }.toMap()

    private val conditions: Map<String, Condition> =
        keys.filter { random.nextInt(3) == 0 }.associateWith { condition(edges.getValue(it)) }

    val isCanceled = random.nextInt(10) == 0
    var plans: Map<String, Plan> = keys.associateWith { plan(it) }
        private set

    val request: WorkflowRequest = WorkflowRequest.builder("test.random").context(mapOf("level" to LEVEL)).also { builder ->
        if (hasWindow) builder.externalGate(WINDOW)
        keys.take(declared).forEach { builder.add(step(it)) }
    }.build()

    /** What is to be appended while the window is open, one batch after the other. */
    fun appends(run: UUID): List<AppendRequest> {
        var left = if (hasWindow) keys.drop(declared) else emptyList()
        return buildList {
            while (left.isNotEmpty()) {
                val batch = left.take(random.nextInt(1, left.size + 1))
                left = left.drop(batch.size)
                val builder = AppendRequest.builder(run, "batch$size", WINDOW)
                batch.forEach { builder.add(step(it)) }
                add(builder.build())
            }
        }
    }

    /** How every step must end, by its key; [kept] are those that have succeeded for good. */
    fun expected(kept: Map<String, WorkflowStepStatus> = emptyMap()): Map<String, WorkflowStepStatus> {
        val ends = LinkedHashMap<String, WorkflowStepStatus>()
        if (hasWindow) ends[WINDOW] = WorkflowStepStatus.SUCCEEDED
        for (key in keys) {
            val unsatisfied = edges.getValue(key).filterNot { it.mode().isSatisfiedBy(ends.getValue(it.step())) }
            ends[key] = kept[key] ?: when {
                unsatisfied.any { ends[it.step()] != WorkflowStepStatus.SKIPPED } -> WorkflowStepStatus.CANCELED
                unsatisfied.isNotEmpty() || conditions[key]?.holds(ends) == false -> WorkflowStepStatus.SKIPPED
                else -> plans.getValue(key).end
            }
        }
        return ends
    }

    /** Whether the run counts as one with errors: a step failed, or was canceled although it could have run. */
    fun hasErrors(ends: Map<String, WorkflowStepStatus>): Boolean = keys.any { key ->
        ends[key] !in setOf(WorkflowStepStatus.SUCCEEDED, WorkflowStepStatus.SKIPPED) &&
            edges.getValue(key).all { it.mode().isSatisfiedBy(ends.getValue(it.step())) }
    }

    /** Most of the plans become a success at the first attempt. */
    fun mend() {
        plans =
            plans.mapValues { (_, plan) -> if (random.nextInt(4) == 0) plan else Plan(0, WorkflowStepStatus.SUCCEEDED, false) }
    }

    private fun step(key: String): StepRequest = if (key in gates) {
        val plan = plans.getValue(key)
        val expiry = if (plan.end == WorkflowStepStatus.FAILED) GateExpiry.FAILED else GateExpiry.CANCELED
        GateStep.builder(key).after(edges.getValue(key)).also {
            conditions[key]?.let(it::onlyIf)
            if (plan.expires) it.expiresAfter(Duration.ofDays(1), expiry)
        }.build()
    } else {
        JobStep.builder(key).runs(Flow.TYPE, Json.EMPTY_OBJECT).maxAttempts(MAX_ATTEMPTS).after(edges.getValue(key)).also {
            conditions[key]?.let(it::onlyIf)
        }.build()
    }

    private fun plan(key: String): Plan {
        val end = when (random.nextInt(10)) {
            in 0..6 -> WorkflowStepStatus.SUCCEEDED
            in 7..8 -> WorkflowStepStatus.FAILED
            else -> WorkflowStepStatus.CANCELED
        }
        val expires = key in gates && end != WorkflowStepStatus.SUCCEEDED && random.nextBoolean()
        return Plan(random.nextInt(MAX_ATTEMPTS), end, expires)
    }

    private fun dependencies(place: Int): List<Dependency> {
        val earlier = keys.take(place).shuffled(random).take(random.nextInt(4))
        return earlier.map { Dependency(it, ReleaseMode.entries.random(random)) }
    }

    /** All, any or none of: endings of the prerequisites, and a comparison with the context. */
    private fun condition(waits: List<Dependency>): Condition {
        val endings = waits.filter { random.nextBoolean() }.map {
            when (it.mode()) {
                ReleaseMode.ON_SUCCESS -> it.succeeded()
                ReleaseMode.ON_FAILURE -> it.failed()
                else -> Condition.Ended(it.step(), StepEnding.entries.random(random))
            }
        }
        val level = Condition.context("level").atLeast(random.nextInt(2 * LEVEL))
        return Condition.Combined(Condition.Combination.entries.random(random), endings + level)
    }

    private fun Condition.holds(ends: Map<String, WorkflowStepStatus>): Boolean = when (this) {
        is Condition.Ended -> when (ending()) {
            StepEnding.SUCCEEDED -> ends[step()] == WorkflowStepStatus.SUCCEEDED
            StepEnding.SKIPPED -> ends[step()] == WorkflowStepStatus.SKIPPED
            else -> ends[step()] == WorkflowStepStatus.FAILED || ends[step()] == WorkflowStepStatus.CANCELED
        }

        is Condition.Compared -> LEVEL >= operand() as Long

        is Condition.Combined -> when (combination()) {
            Condition.Combination.ALL -> conditions().all { it.holds(ends) }
            Condition.Combination.ANY -> conditions().any { it.holds(ends) }
            else -> conditions().none { it.holds(ends) }
        }
    }

    companion object {
        const val LEVEL = 5
        const val WINDOW = "window"
        const val MAX_ATTEMPTS = 3
    }
}
