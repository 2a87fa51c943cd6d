package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** The registered dead-letter hooks and their job types. */
public class JobDeadLetterHooksTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_dead_letter_hooks") {
    public val registeredAt: Column<Instant> = timestamptz("registered_at").databaseGenerated()
    public val seenAt: Column<Instant> = timestamptz("seen_at").databaseGenerated()
    public val jobType: Column<String> = text("job_type")
    public val hook: Column<String> = text("hook")

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, hook, name = "job_dead_letter_hooks_pkey")
}
