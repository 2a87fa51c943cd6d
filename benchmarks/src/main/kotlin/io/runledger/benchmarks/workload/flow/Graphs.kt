package io.runledger.benchmarks.workload.flow

import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest

internal val NOOP: JobType<Json> = JobType.json("bench.noop")
internal val PAYLOAD: Json = Json.of("""{"n": 1}""")

/** Each step waits for those just before it, evenly many, so that there are exactly so many [dependencies] in all. */
internal fun graph(steps: Int, dependencies: Int): WorkflowRequest {
    var left = dependencies
    return workflow {
        repeat(steps) { place ->
            val count = minOf(place, ceilDiv(left, steps - place)).also { left -= it }
            step("step-$place", List(count) { "step-${place - 1 - it}" })
        }
    }.also { check(left == 0) { "$steps steps have no room for $dependencies dependencies." } }
}

/** One step, [width] that wait for it, and one that waits for those. */
internal fun fan(width: Int): WorkflowRequest = workflow {
    step("first")
    repeat(width) { step("middle-$it", listOf("first")) }
    step("last", List(width) { "middle-$it" })
}

/** Each step waits for the one before it. */
internal fun chain(length: Int): WorkflowRequest = workflow {
    repeat(length) { step("link-$it", if (it == 0) emptyList() else listOf("link-${it - 1}")) }
}

internal fun diamond(): WorkflowRequest = workflow {
    step("top")
    step("left", listOf("top"))
    step("right", listOf("top"))
    step("bottom", listOf("left", "right"))
}

private fun workflow(steps: WorkflowRequest.Builder.() -> Unit): WorkflowRequest =
    WorkflowRequest.builder("bench.flow").apply(steps).build()

private fun WorkflowRequest.Builder.step(key: String, prerequisites: List<String> = emptyList()) {
    job(key) { it.runs(NOOP, PAYLOAD).after(*prerequisites.map(Upstream::named).toTypedArray()) }
}

private fun ceilDiv(dividend: Int, divisor: Int) = (dividend + divisor - 1) / divisor
