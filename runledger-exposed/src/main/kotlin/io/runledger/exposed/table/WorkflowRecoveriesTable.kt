package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Links each recovery to the ended run it repeats, with its request. */
public class WorkflowRecoveriesTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_recoveries") {
    public val recoveryRunId: Column<UUID> = javaUUID("recovery_run_id")
    public val sourceRunId: Column<UUID> = javaUUID("source_run_id")
    public val sourceStepId: Column<UUID?> = javaUUID("source_step_id").nullable()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val mode: Column<String> = text("mode")
    public val requestKey: Column<String> = text("request_key")
    public val reason: Column<String> = text("reason")

    override val primaryKey: PrimaryKey = PrimaryKey(recoveryRunId, name = "workflow_recoveries_pkey")

    init {
        index("idx_workflow_recoveries_source_run", isUnique = false, sourceRunId, createdAt)
        uniqueIndex("uq_workflow_recoveries_source_request", sourceRunId, requestKey)
    }
}
