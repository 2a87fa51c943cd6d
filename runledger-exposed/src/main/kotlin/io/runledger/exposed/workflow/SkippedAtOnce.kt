package io.runledger.exposed.workflow

import io.runledger.model.json.Json
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepRequest

/**
 * The keys of those [steps] that are skipped when their run is inserted. Such a step has no prerequisites, or only skipped ones,
 * and either its condition is false for the [context] or a skipped prerequisite does not satisfy it. Because they are known
 * before the insert, starting a run inserts rows and updates none. If no step without prerequisites has a condition, the result
 * is empty without further work.
 */
internal fun skippedAtOnce(steps: List<StepRequest>, context: Json): Set<String> {
    val first = steps.filter { it.dependencies().isEmpty() }
    if (first.none { it.condition() != null }) return emptySet()
    val dependents = steps.flatMap { step -> step.dependencies().map { it.step() to step } }.groupBy({ it.first }, { it.second })
    val left = steps.associateTo(HashMap()) { it.key() to it.dependencies().size }
    val skipped = HashSet<String>()
    val evaluator = ConditionEvaluator(context, skipped)
    val ready = ArrayDeque(first)
    while (ready.isNotEmpty()) {
        val step = ready.removeFirst()
        val isReleased = step.dependencies().all { it.mode() == ReleaseMode.ON_TERMINAL }
        if (isReleased && step.condition()?.let(evaluator::holds) != false) continue
        skipped += step.key()
        for (dependent in dependents[step.key()].orEmpty()) {
            if (left.merge(dependent.key(), -1, Int::plus) == 0) ready += dependent
        }
    }
    return skipped
}
