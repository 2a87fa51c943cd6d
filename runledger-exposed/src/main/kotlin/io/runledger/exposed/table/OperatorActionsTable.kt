package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTargetKind
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The recorded actions of operators. */
public class OperatorActionsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "operator_actions") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val undoneBy: Column<UUID?> = javaUUID("undone_by").nullable()
    public val startedAt: Column<Instant> = timestamptz("started_at").databaseGenerated()
    public val finishedAt: Column<Instant?> = timestamptz("finished_at").nullable()
    public val changed: Column<Long> = long("changed").databaseGenerated()
    public val total: Column<Long?> = long("total").nullable()
    public val actor: Column<String> = text("actor")
    public val action: Column<OperatorActionKind> = wireText("action")
    public val targetKind: Column<OperatorTargetKind> = wireText("target_kind")
    public val target: Column<String?> = text("target").nullable()
    public val stepKey: Column<String?> = text("step_key").nullable()
    public val reason: Column<String?> = text("reason").nullable()
    public val requestKey: Column<String?> = text("request_key").nullable()
    public val details: Column<Json> = jsonb("details").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "operator_actions_pkey")

    init {
        index("uq_operator_actions_request_key", isUnique = true, requestKey)
        index("idx_operator_actions_target", isUnique = false, targetKind, target, id)
        index("idx_operator_actions_organization", isUnique = false, organizationId, id)
        index("idx_operator_actions_actor", isUnique = false, actor, id)
        index("idx_operator_actions_unfinished", isUnique = false, id)
    }
}
