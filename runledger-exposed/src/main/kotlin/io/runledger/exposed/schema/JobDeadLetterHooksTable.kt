package io.runledger.exposed.schema

import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** Who wants to be handed the dead letters of which job types. */
public class JobDeadLetterHooksTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_dead_letter_hooks") {
    public val registeredAt: Column<Instant> = timestamptz("registered_at").databaseGenerated()
    public val seenAt: Column<Instant> = timestamptz("seen_at").databaseGenerated()
    public val jobType: Column<String> = text("job_type")
    public val hook: Column<String> = text("hook")

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, hook, name = "job_dead_letter_hooks_pkey")
}
