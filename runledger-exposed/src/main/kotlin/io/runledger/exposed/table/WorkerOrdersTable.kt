package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.fleet.WorkerOrderKind
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Orders to workers, with the roles that gave them. */
public class WorkerOrdersTable internal constructor(schema: SchemaName) : LedgerTable(schema, "worker_orders") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val orderedAt: Column<Instant> = timestamptz("ordered_at").databaseGenerated()
    public val liftedAt: Column<Instant?> = timestamptz("lifted_at").nullable()
    public val endsAt: Column<Instant?> = timestamptz("ends_at").nullable()
    public val kind: Column<WorkerOrderKind> = wireText("kind")
    public val label: Column<String?> = text("label").nullable()
    public val reason: Column<String> = text("reason")
    public val orderedBy: Column<String> = text("ordered_by").databaseGenerated()
    public val liftedReason: Column<String?> = text("lifted_reason").nullable()
    public val liftedBy: Column<String?> = text("lifted_by").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "worker_orders_pkey")

    init {
        index("idx_worker_orders_standing", isUnique = false, id)
    }
}
