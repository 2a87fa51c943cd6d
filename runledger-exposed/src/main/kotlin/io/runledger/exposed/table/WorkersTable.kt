package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.fleet.WorkerState
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.TextColumnType
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The registered workers, each as of its last heartbeat. */
public class WorkersTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workers") {
    public val id: Column<UUID> = javaUUID("id")
    public val stopOrderId: Column<UUID?> = javaUUID("stop_order_id").nullable()
    public val startedAt: Column<Instant> = timestamptz("started_at").databaseGenerated()
    public val beatAt: Column<Instant> = timestamptz("beat_at").databaseGenerated()
    public val processId: Column<Long> = long("process_id")
    public val beatMs: Column<Int> = integer("beat_ms")
    public val slots: Column<Int> = integer("slots")
    public val busySlots: Column<Int> = integer("busy_slots").databaseGenerated()
    public val heldJobs: Column<Int> = integer("held_jobs").databaseGenerated()
    public val workerId: Column<String> = text("worker_id")
    public val state: Column<WorkerState> = wireText<WorkerState>("state").databaseGenerated()
    public val host: Column<String> = text("host")
    public val libraryVersion: Column<String> = text("library_version")
    public val applicationVersion: Column<String?> = text("application_version").nullable()
    public val labels: Column<List<String>> = array("labels", TextColumnType())
    public val jobTypes: Column<List<String>> = array("job_types", TextColumnType())
    public val queues: Column<List<String>?> = array("queues", TextColumnType()).nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "workers_pkey")
}
