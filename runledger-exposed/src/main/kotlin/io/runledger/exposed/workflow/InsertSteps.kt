package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.spec.Dependency
import io.runledger.model.spec.GateStep
import io.runledger.model.spec.JobStep
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Writes steps, the jobs of those that begin at once, and who waits for whom: two statements whatever their number. */
internal class InsertSteps(private val context: LedgerContext) {
    /**
     * [idOf] finds a prerequisite that is not among [steps]; jobs of a run that [isPaused] are queued as such. Refused when a
     * job type is missing; then nothing is written.
     */
    fun insert(connection: Connection, steps: List<PlannedStep>, isPaused: Boolean = false, idOf: (String) -> UUID? = { null }) {
        val missing = checkNotNull(
            connection.row(context.statements["step_insert"], { bind(steps, isPaused) }) {
                getArray("missing")?.array as Array<*>?
                    ?: emptyArray<Any>()
            },
        ).toSet()
        if (missing.isNotEmpty()) throw undefined(steps.first { it.job?.jobType() in missing })
        val edges = edges(steps, idOf)
        if (edges.isNotEmpty()) connection.update(context.statements["edge_insert"]) { bindEdges(edges) }
    }

    private fun edges(steps: List<PlannedStep>, idOf: (String) -> UUID?): List<Edge> {
        val ids = steps.associate { (it.runId to it.request.key()) to it.id }
        return steps.flatMap { step ->
            step.request.dependencies().map { dependency ->
                val prerequisite = ids[step.runId to dependency.step()] ?: checkNotNull(idOf(dependency.step())) {
                    "Step ${step.request.key()} waits for ${dependency.step()}, which is not there."
                }
                Edge(step.runId, prerequisite, step.id, dependency)
            }
        }
    }

    private fun Binder.bind(steps: List<PlannedStep>, isPaused: Boolean) {
        uuids(steps.map { it.id })
        uuids(steps.map { it.runId })
        uuids(steps.map { it.organizationId })
        uuids(steps.map { it.jobId })
        ints(steps.map { it.ordinal })
        wires(steps.map { it.request.kind() })
        wires(steps.map { it.status })
        ints(steps.map { it.request.dependencies().size })
        ints(steps.map { it.pending })
        ints(steps.map { it.unsatisfied })
        ints(steps.map { it.job?.priority() })
        ints(steps.map { it.job?.maxAttempts() })
        ints(steps.map { it.job?.timeout()?.wholeSeconds() })
        ints(steps.map { it.job?.delay()?.wholeSeconds() })
        ints(steps.map { it.gate?.expiresAfter()?.wholeSeconds() })
        bools(steps.map { it.job?.mayContinue() ?: false })
        texts(steps.map { it.request.key() })
        texts(steps.map { it.job?.jobType() })
        wires(steps.map { it.job?.stage() })
        wires(steps.map { step -> step.gate?.let { gate -> gate.onExpiry().takeIf { gate.expiresAfter() != null } } })
        jsons(steps.map { it.payload })
        jsons(steps.map { it.retryPolicy })
        jsons(steps.map { it.condition })
        bool(isPaused)
    }

    private fun Binder.bindEdges(edges: List<Edge>) {
        uuids(edges.map { it.runId })
        uuids(edges.map { it.prerequisite })
        uuids(edges.map { it.dependent })
        wires(edges.map { it.dependency.mode() })
        texts(edges.map { it.dependency.inputName() })
    }

    private fun undefined(step: PlannedStep) = ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE.exception(
        "Step ${Text.quoted(step.request.key())}${step.request.declaredAt().inBrackets()} needs job type " +
            "${Text.quoted((step.request as JobStep).jobType())}, which is not defined or is disabled: define it, or enable it " +
            "again.",
    )

    private val PlannedStep.gate: GateStep? get() = request as? GateStep

    private class Edge(val runId: UUID, val prerequisite: UUID, val dependent: UUID, val dependency: Dependency)
}

/** Rounded up, so that nothing happens earlier than asked. */
internal fun Duration.wholeSeconds(): Int = Math.toIntExact(plusNanos(999_999_999).toSeconds())
