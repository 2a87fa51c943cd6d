package io.runledger.benchmarks.workload.flow

import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.sql.PreparedStatement
import java.util.UUID

/**
 * The rows of a run by plain JDBC in one transaction, with prepared values: the baseline for the cost of the library.
 * A step without prerequisites begins at once, so it gets its job too.
 */
internal class GraphFloor(
    private val connection: Connection,
    private val request: WorkflowRequest,
    private val snapshot: String,
) {
    /** Prepares the values of one more run; the returned function inserts them. */
    fun prepare(): () -> Unit {
        val run = UuidV7.next()
        val steps = request.steps()
        val ids = steps.associate { it.key() to UuidV7.next() }
        val jobs = steps.map { UuidV7.next() }
        val released = jobs.filterIndexed { place, _ -> steps[place].dependencies().isEmpty() }
        val waits = steps.map { it.dependencies().size }
        val edges = steps.flatMap { step -> step.dependencies().map { ids[it.step()] to ids[step.key()] } }
        return {
            execute(RUN) {
                setObject(1, run)
                setString(2, snapshot)
                setInt(3, steps.size)
                setInt(4, released.size)
            }
            execute(JOBS) {
                uuids(1, released)
                texts(2, released.map { PAYLOAD.text() })
            }
            execute(STEPS) {
                setObject(1, run)
                uuids(2, ids.values)
                uuids(3, jobs)
                setArray(4, connection.createArrayOf("int4", waits.toTypedArray()))
                texts(5, steps.map { it.key() })
                texts(6, steps.map { PAYLOAD.text() })
            }
            execute(EDGES) {
                setObject(1, run)
                uuids(2, edges.map { it.first })
                uuids(3, edges.map { it.second })
            }
            connection.commit()
        }
    }

    private fun execute(sql: String, bind: PreparedStatement.() -> Unit) {
        connection.prepareStatement(sql).use { it.apply(bind).executeUpdate() }
    }

    private fun PreparedStatement.uuids(place: Int, ids: Collection<UUID?>) =
        setArray(place, connection.createArrayOf("uuid", ids.toTypedArray()))

    private fun PreparedStatement.texts(place: Int, texts: List<String>) =
        setArray(place, connection.createArrayOf("text", texts.toTypedArray()))

    private companion object {
        const val RUN = """
            INSERT INTO runledger.workflow_runs (id, workflow_type, enqueue_request, open_steps, active_steps)
            VALUES (?, 'bench.flow', ?::jsonb, ?, ?)
        """
        const val JOBS = """
            INSERT INTO runledger.job_queue (id, is_step, job_type, payload, max_attempts)
            SELECT id, true, 'bench.noop', payload::jsonb, 8 FROM unnest(?::uuid[], ?::text[]) AS job (id, payload)
        """
        const val STEPS = """
            INSERT INTO runledger.workflow_step_rows (
                id, workflow_run_id, job_id, ordinal, dependency_count_total, dependency_count_pending, priority, max_attempts,
                timeout_seconds, step_key, job_type, stage, payload
            )
            SELECT
                step.id, ?, step.job_id, step.place - 1, step.waits, step.waits, 100, 8, 900, step.key, 'bench.noop', 'queued', step.payload::jsonb
            FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::text[]) WITH ORDINALITY AS step (id, job_id, waits, key, payload, place)
        """
        const val EDGES = """
            INSERT INTO runledger.workflow_step_dependencies (workflow_run_id, prerequisite_step_id, dependent_step_id, release_mode)
            SELECT ?, edge.prerequisite, edge.dependent, 'ON_SUCCESS' FROM unnest(?::uuid[], ?::uuid[]) AS edge (prerequisite, dependent)
        """
    }
}
