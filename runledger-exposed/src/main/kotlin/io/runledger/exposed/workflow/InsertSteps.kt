package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.settings
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.text.Text
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Writes steps, the jobs of steps that begin at once, and the dependencies: two statements, whatever their number. */
internal class InsertSteps(private val context: LedgerContext) {
    /**
     * Inserts [steps]. [idOf] finds a prerequisite that is not among them. If the run [isPaused], its jobs are queued as paused.
     * If a job type is not defined or is disabled, the call throws and writes nothing.
     */
    fun insert(connection: Connection, steps: List<PlannedStep>, isPaused: Boolean = false, idOf: (String) -> UUID? = { null }) {
        val missing = checkNotNull(
            connection.row(context.statements["workflow/step_insert"], { bind(steps, isPaused) }) {
                getArray("missing")?.array as Array<*>?
                    ?: emptyArray<Any>()
            },
        ).toSet()
        if (missing.isNotEmpty()) throw undefined(steps.first { it.job?.jobType() in missing })
        val edges = edges(steps, idOf)
        if (edges.isNotEmpty()) connection.update(context.statements["workflow/edge_insert"]) { bindEdges(edges) }
    }

    private fun edges(steps: List<PlannedStep>, idOf: (String) -> UUID?): List<Edge> {
        val ids = steps.associate { (it.runId to it.request.key()) to it.id }
        return steps.flatMap { step ->
            step.request.dependencies().map { dependency ->
                val prerequisite = ids[step.runId to dependency.step()] ?: checkNotNull(idOf(dependency.step())) {
                    "Step ${step.request.key()} depends on step ${dependency.step()}, which does not exist."
                }
                Edge(step.runId, prerequisite, step.id, dependency)
            }
        }
    }

    private fun Binder.bind(steps: List<PlannedStep>, isPaused: Boolean) {
        uuids("ids", steps.map { it.id })
        uuids("run_ids", steps.map { it.runId })
        uuids("organization_ids", steps.sparse { it.organizationId })
        uuids("job_ids", steps.map { it.jobId })
        ints("ordinals", steps.map { it.ordinal })
        wires("kinds", steps.map { it.request.kind() })
        wires("statuses", steps.map { it.status })
        ints("dependencies", steps.map { it.request.dependencies().size })
        ints("pending", steps.map { it.pending })
        ints("unsatisfied", steps.sparse { step -> step.unsatisfied.takeIf { it > 0 } })
        settings(steps.map { it.settings })
        ints("delay_seconds", steps.sparse { it.job?.delay()?.wholeSeconds() })
        ints("expires_after_seconds", steps.sparse { it.gate?.expiresAfter()?.wholeSeconds() })
        bools("may_continue", steps.sparse { step -> step.job?.mayContinue()?.takeIf { it } })
        texts("step_keys", steps.map { it.request.key() })
        texts("job_types", steps.map { it.job?.jobType() })
        wires("stages", steps.map { it.job?.stage() })
        wires(
            "expiry_outcomes",
            steps.sparse { step -> step.gate?.let { gate -> gate.onExpiry().takeIf { gate.expiresAfter() != null } } },
        )
        jsons("payloads", steps.map { it.payload })
        jsons("conditions", steps.sparse { it.condition })
        jsons("headers", steps.sparse { it.headers.storedHeaders() })
        jsons("job_headers", steps.sparse { step -> step.jobHeaders.takeIf { step.isEnqueued }?.storedHeaders() })
        bool("is_paused", isPaused)
    }

    private fun Binder.bindEdges(edges: List<Edge>) {
        uuids("run_ids", edges.map { it.runId })
        uuids("prerequisites", edges.map { it.prerequisite })
        uuids("dependents", edges.map { it.dependent })
        wires("modes", edges.map { it.dependency.mode() })
        texts("input_names", edges.sparse { it.dependency.inputName() })
    }

    private fun undefined(step: PlannedStep) = ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE.exception(
        "Step ${Text.quoted(step.request.key())}${step.request.declaredAt().inBrackets()} needs job type " +
            "${Text.quoted((step.request as JobStep).jobType())}, which is not defined or is disabled: define or enable it.",
    )

    private val PlannedStep.isEnqueued: Boolean get() = status == WorkflowStepStatus.ENQUEUED

    private val PlannedStep.gate: GateStep? get() = request as? GateStep

    private class Edge(val runId: UUID, val prerequisite: UUID, val dependent: UUID, val dependency: Dependency)
}

/** Rounds up, so that nothing happens earlier than requested. */
internal fun Duration.wholeSeconds(): Int = Math.toIntExact(plusNanos(999_999_999).toSeconds())
