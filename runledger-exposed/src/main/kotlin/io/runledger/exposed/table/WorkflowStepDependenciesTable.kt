package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.workflow.ReleaseMode
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The dependencies between steps. Both steps belong to the same run. */
public class WorkflowStepDependenciesTable internal constructor(schema: SchemaName) :
    LedgerTable(schema, "workflow_step_dependencies") {
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val prerequisiteStepId: Column<UUID> = javaUUID("prerequisite_step_id")
    public val dependentStepId: Column<UUID> = javaUUID("dependent_step_id")
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val releaseMode: Column<ReleaseMode> = wireEnum<ReleaseMode>(
        "release_mode",
        "workflow_dependency_release_mode",
    ).databaseGenerated()
    public val inputName: Column<String?> = text("input_name").nullable()

    override val primaryKey: PrimaryKey =
        PrimaryKey(workflowRunId, prerequisiteStepId, dependentStepId, name = "pk_workflow_step_dependencies")

    init {
        index("idx_workflow_step_dependencies_dependent", isUnique = false, dependentStepId)
    }
}
