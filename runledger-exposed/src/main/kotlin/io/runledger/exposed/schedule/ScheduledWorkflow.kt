package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.StandardMapper
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.json.readCondition
import io.runledger.exposed.workflow.PlannedRun
import io.runledger.model.error.SourceLine
import io.runledger.model.job.JobStage
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.WireText
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.util.UUID

/**
 * The workflow of a schedule as stored: the request in the sorted form that runs store, and the order in which its steps were
 * declared. If the stored value is damaged, reading it throws some RuntimeException.
 */
internal class ScheduledWorkflow(private val type: String, stored: Json) {
    private val members = members(exact.readValue(stored.text(), Map::class.java))
    private val request = members(members["request"])
    private val steps = list(request["steps"]).map(::members)

    /** The types of its jobs. */
    val jobTypes: List<String> get() = steps.mapNotNull { it["job_type"] as String? }.distinct()

    private val stepHeaders = members["headers"]?.let(::members).orEmpty()

    /** The request of a fire. [facts] are added to the metadata and to each payload that is an object. */
    fun request(
        organizationId: UUID?,
        idempotencyKey: String,
        facts: Map<String, Any>,
        headers: Map<String, String>,
    ): WorkflowRequest {
        val byKey = steps.associateBy { it["step_key"] }
        return WorkflowRequest(
            type,
            withFacts(request["metadata"], facts),
            organizationId,
            idempotencyKey,
            null,
            request["result_step_key"] as String?,
            Payload.of(json(request["context"] ?: emptyMap<String, Any>())),
            (request["context_merge"] as String?)?.let { WireText.of(ContextMerge::class.java, it) } ?: ContextMerge.REPLACE,
            headers,
            list(members["order"]).map { step(byKey.getValue(it), facts) },
        )
    }

    private fun step(step: Map<String, Any?>, facts: Map<String, Any>): StepRequest {
        val payload = withFacts(step["payload"], facts)
        val organizationId = (step["organization_id"] as String?)?.let(UUID::fromString)
        val dependencies = list(step["dependencies"]).map { dependency(members(it)) }
        val condition = step["condition"]?.let { json(it).readCondition() }
        return when (WireText.of(StepKind::class.java, step["execution_kind"] as String)) {
            StepKind.JOB -> JobStep(
                step["step_key"] as String,
                step["job_type"] as String,
                payload,
                organizationId,
                StoredSettings.read(step),
                seconds(step["delay_seconds"]),
                WireText.of(JobStage::class.java, step["stage"] as String),
                step["allow_handler_continuation"] == true,
                stepHeaders[step["step_key"]]?.let(::texts).orEmpty(),
                dependencies,
                condition,
                SourceLine.UNKNOWN,
            )

            StepKind.EXTERNAL -> GateStep(
                step["step_key"] as String,
                payload,
                organizationId,
                seconds(step["expires_after_seconds"]),
                (step["expiry_outcome"] as String?)?.let { WireText.of(GateExpiry::class.java, it) } ?: GateExpiry.FAILED,
                dependencies,
                condition,
                SourceLine.UNKNOWN,
            )
        }
    }

    private fun dependency(dependency: Map<String, Any?>) = Dependency(
        dependency["prerequisite_step_key"] as String,
        WireText.of(ReleaseMode::class.java, dependency["release_mode"] as String),
        dependency["input_name"] as String?,
    )

    companion object {
        private val exact = StandardMapper.build()

        /** Throws the same errors as a start of [request]. */
        fun storedForm(request: WorkflowRequest, context: LedgerContext): Json {
            val order = plainJson(request.steps().map { it.key() })
            val planned = PlannedRun.of(request, context)
            val headers = planned.steps.filter { it.headers.isNotEmpty() }.associate { it.request.key() to it.headers }
            // Not in the request, whose form is that of a run's: there, headers are columns.
            val added = if (headers.isEmpty()) "" else ""","headers":${plainJson(headers).text()}"""
            return Json("""{"order":${order.text()},"request":${planned.snapshot.text()}$added}""")
        }

        private fun withFacts(value: Any?, facts: Map<String, Any>): Payload =
            Payload.of(json(if (value is Map<*, *>) members(value) + ("_schedule" to facts) else value))

        private fun json(value: Any?) = Json(exact.writeValueAsString(value))

        private fun seconds(value: Any?): Duration? = (value as Int?)?.let { Duration.ofSeconds(it.toLong()) }

        @Suppress("UNCHECKED_CAST")
        private fun texts(value: Any): Map<String, String> = value as Map<String, String>

        private fun list(value: Any?): List<Any?> = value as List<Any?>

        @Suppress("UNCHECKED_CAST")
        private fun members(value: Any?): Map<String, Any?> = value as Map<String, Any?>
    }
}
