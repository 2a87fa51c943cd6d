package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.VanishedKey
import io.runledger.exposed.intake.retryingVanishedKeys
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Disposition
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.text.Text
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.util.UUID

/** Starts runs with three statements, whatever their number and size, and a fourth if some runs exist already. */
internal class EnqueueRuns(private val context: LedgerContext) {
    private val steps = InsertSteps(context)
    private val actions = RecordActions(context)

    fun enqueue(requests: List<WorkflowRequest>): List<EnqueuedWorkflow> {
        requests.firstOrNull { it.activeKey() != null }?.let { throw activeKeyNeedsItsOwnCall(it) }
        if (requests.isEmpty()) return emptyList()
        val runs = requests.map { PlannedRun.enqueued(it, context) }
        return retryingVanishedKeys {
            context.transactions.run { connection ->
                if (requests.any { it.idempotencyKey() != null }) {
                    context.transactions.requireReadCommitted(connection, ErrorCode.WORKFLOW_IDEMPOTENCY_ISOLATION)
                }
                started(actions, connection, requests) { write(connection, runs) }
            }
        }
    }

    /** As [enqueue], within an open transaction of the ledger. */
    fun enqueue(connection: Connection, requests: List<WorkflowRequest>): List<EnqueuedWorkflow> {
        requests.firstOrNull { it.activeKey() != null }?.let { throw activeKeyNeedsItsOwnCall(it) }
        if (requests.isEmpty()) return emptyList()
        val runs = requests.map { PlannedRun.enqueued(it, context) }
        return retryingVanishedKeys { context.transactions.part(connection) { write(it, runs) } }
    }

    private fun write(connection: Connection, runs: List<PlannedRun>): List<EnqueuedWorkflow> {
        val answers = insertOrFind(connection, runs) { existing(connection, it) }
        return runs.map { answers.getValue(it.id) }
    }

    /** Returns the answers by the planned id of each run. */
    private fun insertOrFind(
        connection: Connection,
        runs: List<PlannedRun>,
        find: (List<PlannedRun>) -> Map<UUID, EnqueuedWorkflow>,
    ): Map<UUID, EnqueuedWorkflow> {
        // In key order, so that two calls with the same keys wait for each other and do not deadlock.
        val ordered = runs.sortedWith(
            compareBy({ it.request.idempotencyKey() }, { it.request.type() }, { it.request.organizationId() }),
        )
        val inserted = insert(connection, ordered)
        val (new, refused) = ordered.partition { it.id in inserted }
        val found = if (refused.isEmpty()) emptyMap() else find(refused)
        if (found.size < refused.size) throw VanishedKey()
        return found + new.associate { it.id to EnqueuedWorkflow(it.id, Disposition.INSERTED, it.status) }
    }

    /** Inserts [runs] with their steps, except runs whose key is in use. Returns the ids of the inserted runs. */
    fun insert(connection: Connection, runs: List<PlannedRun>): Set<UUID> {
        val inserted = connection.rows(context.statements["workflow/run_insert"], { bind(runs) }) { uuid("id") }.toSet()
        val fresh = runs.filter { it.id in inserted }
        if (fresh.isNotEmpty()) steps.insert(connection, fresh.flatMap { it.steps })
        return inserted
    }

    /**
     * Inserts [runs], each of which has a key. Returns for each planned id the run that has the key, even if that run was
     * enqueued with a different request.
     */
    fun insertOrFind(connection: Connection, runs: List<PlannedRun>): Map<UUID, UUID> {
        if (runs.isEmpty()) return emptyMap()
        val answers = retryingVanishedKeys {
            context.transactions.part(connection) { part -> insertOrFind(part, runs) { find(part, it) { _, _ -> } } }
        }
        return answers.mapValues { (_, run) -> run.runId() }
    }

    /**
     * Returns the runs that hold the keys of [refused], by planned id. Throws if one of them was enqueued with a different
     * request. A key whose run was deleted meanwhile is left out.
     */
    fun existing(connection: Connection, refused: List<PlannedRun>): Map<UUID, EnqueuedWorkflow> =
        find(connection, refused) { run, isSame -> if (!isSame) throw conflict(run.request) }

    private fun find(
        connection: Connection,
        refused: List<PlannedRun>,
        check: (PlannedRun, Boolean) -> Unit,
    ): Map<UUID, EnqueuedWorkflow> {
        val runs = refused.associateBy { it.id }
        return connection.rows(context.statements["workflow/run_existing"], { bindKeys(refused) }) {
            val id = uuid("id")
            check(runs.getValue(id), getBoolean("same"))
            id to EnqueuedWorkflow(uuid("existing_id"), Disposition.EXISTING, wire<WorkflowRunStatus>("status"))
        }.toMap()
    }

    private fun Binder.bind(runs: List<PlannedRun>) {
        uuids("ids", runs.map { it.id })
        texts("workflow_types", runs.map { it.request.type() })
        uuids("organization_ids", runs.map { it.request.organizationId() })
        texts("idempotency_keys", runs.map { it.request.idempotencyKey() })
        jsons("metadata", runs.map { it.metadata })
        jsons("enqueue_requests", runs.map { it.snapshot })
        texts("result_step_keys", runs.map { it.request.resultStep() })
        wires("statuses", runs.map { it.status })
        ints("open_steps", runs.map { it.openSteps })
        ints("active_steps", runs.map { it.activeSteps })
        ints("waiting_steps", runs.map { it.waitingSteps })
        texts("active_scopes", runs.map { ActiveKeys.scopeOf(it.request.organizationId()) })
        texts("active_keys", runs.map { it.activeKey })
        jsons("contexts", runs.map { it.context })
        wires("context_merges", runs.map { it.request.contextMerge() })
        jsons("headers", runs.sparse { it.headers.storedHeaders() })
    }

    private fun Binder.bindKeys(runs: List<PlannedRun>) {
        uuids("ids", runs.map { it.id })
        texts("workflow_types", runs.map { it.request.type() })
        uuids("organization_ids", runs.map { it.request.organizationId() })
        texts("idempotency_keys", runs.map { it.request.idempotencyKey() })
        jsons("enqueue_requests", runs.map { it.snapshot })
    }

    private fun conflict(request: WorkflowRequest) = ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT.exception(
        "The idempotency key was used before for a different ${Text.quoted(request.type())} workflow: repeat the same " +
            "request, or use another key.",
        "idempotency key ${Text.quoted(request.idempotencyKey().orEmpty())}",
    )

    private fun activeKeyNeedsItsOwnCall(request: WorkflowRequest) = ErrorCode.ACTIVE_KEY_API_REQUIRED.exception(
        "Workflow ${Text.quoted(request.type())} has an active key, so another run may already hold that key: " +
            "start it with enqueueUnlessActive.",
    )
}
