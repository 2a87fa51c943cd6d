package io.runledger.model.workflow

import io.kotest.property.Arb
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.arbitrary
import java.util.BitSet

/** A valid graph: every step waits only for steps before it, then the list is shuffled. */
fun validGraphs(mostSteps: Int = 500): Arb<List<StepRequest>> = arbitrary { source ->
    val size = if (source.random.nextInt(10) == 0) mostSteps else 1 + source.random.nextInt(60)
    val density = source.random.nextDouble() * source.random.nextDouble()
    List(size) { place ->
        step(source, "s$place", (0 until place).filter { source.random.nextDouble() < density }.map { "s$it" })
    }
        .shuffled(source.random)
}

/** Any graph: keys may repeat, dependencies may point anywhere or nowhere. */
fun anyGraphs(): Arb<List<StepRequest>> = arbitrary { source ->
    val size = 1 + source.random.nextInt(12)
    fun anyKey() = "s${source.random.nextInt(size + if (source.random.nextInt(8) == 0) 1 else 0)}"
    List(size) { place ->
        val key = if (source.random.nextInt(25) == 0) anyKey() else "s$place"
        step(source, key, List(source.random.nextInt(3)) { anyKey() })
    }
}

private fun step(source: RandomSource, key: String, after: List<String>): StepRequest {
    val upstream = after.map { Dependency(it, ReleaseMode.entries.random(source.random)) }
    return if (source.random.nextInt(5) == 0) {
        GateStep.builder(key).after(upstream).build()
    } else {
        JobStep.builder(key).after(upstream).build()
    }
}

/** A second implementation for comparison: a transitive closure over bit sets. */
fun isValidGraph(steps: List<StepRequest>): Boolean {
    val keys = steps.map { it.key() }
    if (keys.toSet().size != keys.size) return false
    val wellFormed = steps.all { step ->
        val targets = step.dependencies().map { it.step() }
        targets.all { it in keys && it != step.key() } && targets.toSet().size == targets.size
    }
    return wellFormed && closure(steps).withIndex().none { (place, reached) -> reached[place] }
}

private fun closure(steps: List<StepRequest>): List<BitSet> {
    val places = steps.withIndex().associate { (place, step) -> step.key() to place }
    val reach = steps.map { step -> BitSet().apply { step.dependencies().forEach { set(places.getValue(it.step())) } } }
    for (middle in steps.indices) {
        for (from in steps.indices) if (reach[from][middle]) reach[from].or(reach[middle])
    }
    return reach
}
