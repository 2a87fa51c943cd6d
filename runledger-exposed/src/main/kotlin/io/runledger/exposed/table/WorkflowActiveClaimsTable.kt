package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The active keys and the live runs that hold them. */
public class WorkflowActiveClaimsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_active_claims") {
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val releasePending: Column<Boolean> = bool("release_pending").databaseGenerated()
    public val scope: Column<String> = text("scope")
    public val activeKey: Column<String> = text("active_key")

    override val primaryKey: PrimaryKey = PrimaryKey(scope, activeKey, name = "pk_workflow_active_claims")

    init {
        index("idx_workflow_active_claims_release_pending", isUnique = false, updatedAt, workflowRunId)
        uniqueIndex("uq_workflow_active_claims_run", workflowRunId)
    }
}
