package io.runledger.model.render

import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobStage
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.run.StepDependency
import io.runledger.model.run.StepGate
import io.runledger.model.run.StepJob
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import io.runledger.model.workflow.validGraphs
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** The expected content of a diagram: each step, and each edge by the keys of its steps. */
data class Seen(val steps: List<String>, val edges: Set<Triple<String, String, ReleaseMode>>)

fun seenIn(workflow: WorkflowRequest) = Seen(
    workflow.steps().map { it.key() }.sorted(),
    workflow.steps().flatMap { step -> step.dependencies().map { Triple(it.step(), step.key(), it.mode()) } }.toSet(),
)

/** Texts with a special meaning for Mermaid, Markdown, Graphviz or a terminal. */
private val nasty = listOf(
    "\"", "'", "[", "]", "{", "}", "(", ")", "|", "\\", "\\N", "\\\"", "#", ";", "#35;", "&", "&lt;", "<b>", "<br/>", "-->", "->",
    "%%", "`", "1. ", "- ", "* ", "_x_", "  ", "style:a#", "classDef", "end", ":::", "é", "漢", "😀", "\u202e", "\u2028", "\u200b",
    "(below)", "↓ ", "✔ ", "├─ ", "s0", ",",
)

/** Random graphs with keys that need escaping. */
fun hostileWorkflows(): Arb<WorkflowRequest> = arbitrary { source ->
    val steps = validGraphs(mostSteps = 120).sample(source).value
    val keys = steps.associate { step ->
        step.key() to List(source.random.nextInt(4)) { nasty.random(source.random) }.joinToString("") + step.key()
    }
    workflow("type " + nasty.random(source.random), steps.map { it.renamed(keys) })
}

fun workflow(type: String, steps: List<StepRequest>) = WorkflowRequest(type, Payload.empty(), null, null, null, null, steps)

private fun StepRequest.renamed(keys: Map<String, String>): StepRequest {
    val waits = dependencies().map { Dependency(keys.getValue(it.step()), it.mode(), it.inputName()) }
    return when (this) {
        is JobStep -> JobStep.builder(keys.getValue(key())).runs("t", null).after(waits).build()
        is GateStep -> GateStep.builder(keys.getValue(key())).after(waits).build()
    }
}

/** A run of [workflow] whose steps have the statuses of [statusOf]. */
fun storyOf(
    workflow: WorkflowRequest,
    status: WorkflowRunStatus,
    pausedAt: Instant? = null,
    statusOf: (StepRequest) -> WorkflowStepStatus,
): WorkflowStory {
    val at = Instant.EPOCH
    val end = at.takeIf { status.isTerminal }
    val none = Json.EMPTY_OBJECT
    val result = workflow.resultStep()
    val run = WorkflowRun(
        UUID(
            1,
            1,
        ),
        workflow.type(), null, status, null, pausedAt, null, 0, 0, 0, 0, null, none, emptyMap(), none, ContextMerge.REPLACE,
        null, result, null, at, end, at, at,
    )
    val ids = workflow.steps().withIndex().associate { (place, step) -> step.key() to UUID(2, place.toLong()) }
    val steps = workflow.steps().mapIndexed { place, step ->
        val job = (step as? JobStep)?.let {
            StepJob(it.jobType(), null, 0, 1, Duration.ofSeconds(1), JobStage.QUEUED, null, null, false, emptyMap())
        }
        val gate = if (job == null) StepGate(null, null, null) else null
        WorkflowStep(
            ids.getValue(step.key()), run.id(), step.key(), place, step.kind(), statusOf(step), null, null, job, gate,
            step.dependencies().size, 0, 0, step.condition(), none, null, null, null, null, null, null, at, at,
        )
    }
    val waits = workflow.steps().flatMap { step ->
        step.dependencies().map {
            StepDependency(run.id(), ids.getValue(it.step()), ids.getValue(step.key()), it.mode(), it.inputName(), at)
        }
    }
    return WorkflowStory(run, steps, waits, emptyList(), emptyList())
}
