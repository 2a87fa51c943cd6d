package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The registered dead-letter hooks and their job types. */
public class JobDeadLetterHooksTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_dead_letter_hooks") {
    public val registeredAt: Column<Instant> = timestamptz("registered_at").databaseGenerated()
    public val seenAt: Column<Instant> = timestamptz("seen_at").databaseGenerated()
    public val jobType: Column<String> = text("job_type")
    public val hook: Column<String> = text("hook")

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, hook, name = "job_dead_letter_hooks_pkey")
}

/** Dead letters that are not yet delivered to a hook. */
public class JobDeadLetterDeliveriesTable internal constructor(schema: SchemaName) :
    LedgerTable(schema, "job_dead_letter_deliveries") {
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val dueAt: Column<Instant> = timestamptz("due_at")
    public val runNumber: Column<Int> = integer("run_number")
    public val tries: Column<Int> = integer("tries").databaseGenerated()
    public val jobType: Column<String> = text("job_type")
    public val hook: Column<String> = text("hook")

    override val primaryKey: PrimaryKey = PrimaryKey(jobId, runNumber, hook, name = "job_dead_letter_deliveries_pkey")

    init {
        index("idx_job_dead_letter_deliveries_due", isUnique = false, hook, jobType, dueAt)
    }
}
