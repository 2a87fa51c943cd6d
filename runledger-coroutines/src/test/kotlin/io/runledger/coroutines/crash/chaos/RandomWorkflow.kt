package io.runledger.coroutines.crash.chaos

import io.runledger.model.condition.Condition
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRequest
import kotlin.random.Random

/** A random graph of steps with release modes and conditions, and what must become of each step, computed without the library. */
internal class RandomWorkflow(val key: String, seed: Long) {
    private class Edge(val from: Step, val mode: ReleaseMode)

    private class Step(val key: String, val order: Order, val edges: List<Edge>, val rule: Rule?)

    private val random = Random(seed)
    private val size = random.nextInt(10)
    private val steps = buildList {
        repeat(random.nextInt(3, 8)) { n -> add(step(n, this)) }
    }

    fun request(): WorkflowRequest = WorkflowRequest.builder("decided").apply {
        idempotencyKey(key)
        context(mapOf("size" to size))
        val refs = HashMap<String, JobRef>()
        steps.forEach { step ->
            refs[step.key] = job(step.key) { job ->
                job.runs(ordinary, step.order).mayContinue()
                step.edges.forEach { job.after(it.upstream(refs.getValue(it.from.key))) }
                step.rule?.let { job.onlyIf(it.condition(refs)) }
            }
        }
    }.build()

    /** The status of every step, by its key. */
    fun expected(): Map<String, String> {
        val ended = LinkedHashMap<String, String>()
        steps.forEach { ended[it.key] = it.end(ended) }
        return ended
    }

    private fun Step.end(ended: Map<String, String>): String {
        val unsatisfied = edges.filterNot { it.isSatisfiedBy(ended.getValue(it.from.key)) }
        return when {
            unsatisfied.any { ended[it.from.key] != SKIPPED } -> CANCELED
            unsatisfied.isNotEmpty() -> SKIPPED
            rule?.holds(ended) == false -> SKIPPED
            order.ending == Intent.FAIL -> FAILED
            else -> order.ending.status
        }
    }

    private fun Edge.isSatisfiedBy(status: String) = when (mode) {
        ReleaseMode.ON_SUCCESS -> status == SUCCEEDED
        ReleaseMode.ON_FAILURE -> status == FAILED || status == CANCELED
        ReleaseMode.ON_TERMINAL -> true
    }

    private fun Edge.upstream(ref: JobRef) = when (mode) {
        ReleaseMode.ON_SUCCESS -> ref.onSuccess()
        ReleaseMode.ON_FAILURE -> ref.onFailure()
        ReleaseMode.ON_TERMINAL -> ref.onTerminal()
    }

    private fun step(n: Int, earlier: List<Step>): Step {
        val edges = earlier.shuffled(random).take(random.nextInt(3)).map { Edge(it, ReleaseMode.entries.random(random)) }
        val ending = listOf(Intent.SUCCEED, Intent.SUCCEED, Intent.SUCCEED, Intent.FAIL, Intent.CANCEL).random(random)
        val order = Order("$key/$n", ending, slices = random.nextInt(1, 3), value = random.nextInt(10))
        return Step("step-$n", order, edges, if (random.nextBoolean()) rule(edges, depth = 2) else null)
    }

    private fun rule(edges: List<Edge>, depth: Int): Rule = when (if (depth > 0) random.nextInt(4) else random.nextInt(2)) {
        0 -> size()
        1 -> edges.filter { it.mode == ReleaseMode.ON_TERMINAL }.randomOrNull(random)?.let(::about) ?: size()
        2 -> Rule.AnyOf(List(2) { rule(edges, depth - 1) })
        else -> Rule.NoneOf(List(2) { rule(edges, depth - 1) })
    }

    private fun size() = Rule.Size(size, random.nextInt(10))

    private fun about(edge: Edge): Rule = if (random.nextBoolean()) {
        Rule.Value(edge.from.key, edge.from.order.value, random.nextInt(10))
    } else {
        Rule.Ended(edge.from.key, listOf(SUCCEEDED, FAILED, SKIPPED).random(random))
    }

    /** A condition, and its result computed without the library. */
    private sealed interface Rule {
        fun condition(refs: Map<String, JobRef>): Condition

        fun holds(ended: Map<String, String>): Boolean

        class Size(val size: Int, val least: Int) : Rule {
            override fun condition(refs: Map<String, JobRef>): Condition = Condition.context("size").atLeast(least)

            override fun holds(ended: Map<String, String>) = size >= least
        }

        class Value(val step: String, val value: Int, val least: Int) : Rule {
            override fun condition(refs: Map<String, JobRef>): Condition = refs.getValue(step).output("value").atLeast(least)

            override fun holds(ended: Map<String, String>) = ended[step] == SUCCEEDED && value >= least
        }

        class Ended(val step: String, val status: String) : Rule {
            override fun condition(refs: Map<String, JobRef>): Condition = refs.getValue(step).let {
                when (status) {
                    SUCCEEDED -> it.succeeded()
                    FAILED -> it.failed()
                    else -> it.skipped()
                }
            }

            override fun holds(ended: Map<String, String>) =
                ended[step] == status || (status == FAILED && ended[step] == CANCELED)
        }

        class AnyOf(val rules: List<Rule>) : Rule {
            override fun condition(refs: Map<String, JobRef>): Condition =
                Condition.anyOf(*rules.map { it.condition(refs) }.toTypedArray())

            override fun holds(ended: Map<String, String>) = rules.any { it.holds(ended) }
        }

        class NoneOf(val rules: List<Rule>) : Rule {
            override fun condition(refs: Map<String, JobRef>): Condition =
                Condition.noneOf(*rules.map { it.condition(refs) }.toTypedArray())

            override fun holds(ended: Map<String, String>) = rules.none { it.holds(ended) }
        }
    }

    private companion object {
        const val SUCCEEDED = "SUCCEEDED"
        const val FAILED = "FAILED"
        const val CANCELED = "CANCELED"
        const val SKIPPED = "SKIPPED"
    }
}
