package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Changes made to a run after it started, each under a key that makes it repeatable. */
public class WorkflowRunMutationsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_run_mutations") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val mutationKind: Column<String> = text("mutation_kind").databaseGenerated()
    public val mutationKey: Column<String> = text("mutation_key")
    public val metadata: Column<Json> = jsonb("metadata").databaseGenerated()
    public val request: Column<Json> = jsonb("request")

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "workflow_run_mutations_pkey")

    init {
        uniqueIndex("uq_workflow_run_mutations_run_mutation_key", workflowRunId, mutationKey)
    }
}
