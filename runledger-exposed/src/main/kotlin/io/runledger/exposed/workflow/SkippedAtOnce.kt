package io.runledger.exposed.workflow

import io.runledger.model.json.Json
import io.runledger.model.spec.StepRequest
import io.runledger.model.state.ReleaseMode

/**
 * The keys of those [steps] that are skipped as soon as their run is there: they wait for nothing, or for such steps alone, and
 * their condition is false for the [context] or the end of those steps is not what they need. So that starting a run writes rows
 * and changes none. Costs nothing where no first step has a condition.
 */
internal fun skippedAtOnce(steps: List<StepRequest>, context: Json): Set<String> {
    val first = steps.filter { it.dependencies().isEmpty() }
    if (first.none { it.condition() != null }) return emptySet()
    val dependents = steps.flatMap { step -> step.dependencies().map { it.step() to step } }.groupBy({ it.first }, { it.second })
    val left = steps.associateTo(HashMap()) { it.key() to it.dependencies().size }
    val skipped = HashSet<String>()
    val judge = ContextJudge(context, skipped)
    val ready = ArrayDeque(first)
    while (ready.isNotEmpty()) {
        val step = ready.removeFirst()
        val isReleased = step.dependencies().all { it.mode() == ReleaseMode.ON_TERMINAL }
        if (isReleased && step.condition()?.let(judge::holds) != false) continue
        skipped += step.key()
        for (dependent in dependents[step.key()].orEmpty()) {
            if (left.merge(dependent.key(), -1, Int::plus) == 0) ready += dependent
        }
    }
    return skipped
}
