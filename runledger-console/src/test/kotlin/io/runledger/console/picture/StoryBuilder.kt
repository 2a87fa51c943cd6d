package io.runledger.console.picture

import io.runledger.model.history.RunEvent
import io.runledger.model.history.RunEventType
import io.runledger.model.history.StepEvent
import io.runledger.model.history.StepEventType
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobStage
import io.runledger.model.json.Json
import io.runledger.model.run.StepDependency
import io.runledger.model.run.StepGate
import io.runledger.model.run.StepJob
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** The start of the runs that are made here. */
val START: Instant = Instant.parse("2026-11-19T14:05:00Z")

/** An instant [seconds] after the start. */
fun at(seconds: Number): Instant = START.plusMillis((seconds.toDouble() * 1000).toLong())

/** Builds a run from its steps. Times are seconds after [START]. */
class StoryBuilder(private val type: String = "orders.fulfil") {
    private val steps = mutableListOf<WorkflowStep>()
    private val waits = mutableListOf<StepDependency>()
    private val events = mutableListOf<StepEvent>()
    private val runEvents = mutableListOf<RunEvent>()
    private val ids = mutableMapOf<String, UUID>()
    private var number = 0L
    var status: WorkflowRunStatus = WorkflowRunStatus.RUNNING
    var finished: Number? = null
    var result: String? = null
    var pausedAt: Number? = null

    @Suppress("LongMethod")
    fun step(
        key: String,
        status: WorkflowStepStatus = WorkflowStepStatus.SUCCEEDED,
        jobType: String = "work",
        gate: Boolean = false,
        after: List<String> = emptyList(),
        mode: ReleaseMode = ReleaseMode.ON_SUCCESS,
        released: Number? = null,
        started: Number? = null,
        ended: Number? = null,
        error: String? = null,
        deadline: Number? = null,
    ): StoryBuilder {
        val id = UUID(2, steps.size.toLong())
        ids[key] = id
        val job = StepJob(jobType, null, 0, 8, Duration.ofMinutes(1), JobStage.QUEUED, null, null, false, emptyMap())
        steps += WorkflowStep(
            id, RUN, key, steps.size, if (gate) StepKind.EXTERNAL else StepKind.JOB, status, null, null, job.takeIf { !gate },
            StepGate(null, null, deadline?.let(::at)).takeIf { gate }, after.size, 0, 0, null, Json.EMPTY_OBJECT, null,
            error?.let { "boom" }, error, released?.let(::at), started?.let(::at), ended?.let(::at), START, START,
        )
        after.forEach { waits += StepDependency(RUN, ids.getValue(it), id, mode, null, START) }
        return this
    }

    fun wait(from: String, to: String, mode: ReleaseMode, input: String? = null) = apply {
        waits += StepDependency(RUN, ids.getValue(from), ids.getValue(to), mode, input, START)
    }

    fun event(key: String, type: StepEventType, seconds: Number) = apply {
        events += StepEvent(RUN, ++number, ids.getValue(key), key, type, Json.EMPTY_OBJECT, at(seconds))
    }

    fun paused(from: Number, to: Number?, reason: String? = null) = apply {
        runEvents += RunEvent(RUN, RunEventType.PAUSED, reason, at(from))
        to?.let { runEvents += RunEvent(RUN, RunEventType.RESUMED, null, at(it)) }
        pausedAt = if (to == null) from else null
    }

    fun build(): WorkflowStory {
        val none = Json.EMPTY_OBJECT
        val run = WorkflowRun(
            RUN, type, null, status, null,
            pausedAt?.let(
                ::at,
            ),
            null, 0, 0, 0, 0, null, none, emptyMap(), none, ContextMerge.REPLACE,
            null, result, null, START, finished?.let(::at), START, START,
        )
        return WorkflowStory(run, steps, waits, events, runEvents)
    }

    private companion object {
        val RUN = UUID(1, 1)
    }
}
