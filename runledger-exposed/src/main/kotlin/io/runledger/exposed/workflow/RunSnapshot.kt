package io.runledger.exposed.workflow

import io.runledger.model.json.Json
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import tools.jackson.core.io.JsonStringEncoder
import java.util.UUID

/**
 * The request in canonical form: sorted, with effective organizations and stages, and with the settings as they were requested.
 * The database compares two snapshots as `jsonb`. Workflow type, organization and key are not included, because a run is looked
 * up by them.
 */
internal object RunSnapshot {
    /** Members that were added in later versions are left out if unset, so that older snapshots stay equal. */
    fun ofRun(run: PlannedRun): Json {
        val request = run.request
        val out = StringBuilder("{\"metadata\":").append(run.metadata.text())
        request.activeKey()?.let { out.append(",\"active_key\":").quoted(it) }
        request.resultStep()?.let { out.append(",\"result_step_key\":").quoted(it) }
        if (run.context != Json.EMPTY_OBJECT) out.append(",\"context\":").append(run.context.text())
        if (request.contextMerge() != ContextMerge.REPLACE) {
            out.append(",\"context_merge\":\"").append(request.contextMerge().wire()).append('"')
        }
        return Json(out.append(",\"steps\":").steps(run.steps).append('}').toString())
    }

    fun ofAppend(window: String, steps: List<PlannedStep>): Json {
        val out = StringBuilder("{\"append_window_step_key\":").quoted(window)
        return Json(out.append(",\"steps\":").steps(steps).append('}').toString())
    }

    private fun StringBuilder.steps(steps: List<PlannedStep>): StringBuilder {
        append('[')
        steps.sortedWith { a, b -> byCodePoint.compare(a.request.key(), b.request.key()) }.forEachIndexed { index, step ->
            if (index > 0) append(',')
            step(step)
        }
        return append(']')
    }

    private fun StringBuilder.step(step: PlannedStep) {
        val request = step.request
        append("{\"step_key\":").quoted(request.key())
        append(",\"execution_kind\":\"").append(request.kind().wire()).append('"')
        append(",\"organization_id\":").text(step.organizationId)
        append(",\"payload\":").append(step.payload.text())
        append(',').append(step.settings.members())
        when (request) {
            is JobStep -> job(request)
            is GateStep -> gate(request)
        }
        step.condition?.let { append(",\"condition\":").append(it.text()) }
        append(",\"dependencies\":").dependencies(request.dependencies()).append('}')
    }

    private fun StringBuilder.job(job: JobStep) {
        append(",\"job_type\":").quoted(job.jobType())
        append(",\"stage\":\"").append(job.stage().wire()).append('"')
        job.delay()?.let { append(",\"delay_seconds\":").append(it.wholeSeconds()) }
        if (job.mayContinue()) append(",\"allow_handler_continuation\":true")
    }

    private fun StringBuilder.gate(gate: GateStep) {
        append(",\"job_type\":null,\"stage\":null")
        gate.expiresAfter()?.let {
            append(",\"expires_after_seconds\":").append(it.wholeSeconds())
            append(",\"expiry_outcome\":\"").append(gate.onExpiry().wire()).append('"')
        }
    }

    private fun StringBuilder.dependencies(dependencies: List<Dependency>): StringBuilder {
        append('[')
        dependencies.sortedWith { a, b -> byCodePoint.compare(a.step(), b.step()) }.forEachIndexed { index, dependency ->
            if (index > 0) append(',')
            append("{\"prerequisite_step_key\":").quoted(dependency.step())
            append(",\"release_mode\":\"").append(dependency.mode().wire()).append('"')
            dependency.inputName()?.let { append(",\"input_name\":").quoted(it) }
            append('}')
        }
        return append(']')
    }

    private fun StringBuilder.text(value: UUID?): StringBuilder =
        if (value == null) append("null") else append('"').append(value).append('"')

    private fun StringBuilder.quoted(text: String): StringBuilder =
        append('"').append(JsonStringEncoder.getInstance().quoteAsCharArray(text)).append('"')
}
