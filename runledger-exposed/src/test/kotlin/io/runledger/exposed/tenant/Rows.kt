package io.runledger.exposed.tenant

import java.sql.Connection

/** Every row of the ledger that belongs to an organization, so that any change is visible. */
class Rows(connection: Connection, private val tenants: List<Tenant>) {
    private val everything = connection.texts(TABLES).joinToString(" UNION ALL ") {
        "SELECT '$it ' || t::text FROM runledger.$it t"
    }
    private val marks = tenants.flatMap { tenant ->
        connection.texts(
            OWN.joinToString(" UNION ALL ") {
                "SELECT id::text FROM runledger.$it WHERE organization_id = '${tenant.organization}'"
            },
        ) + tenant.organization.toString()
    }

    fun read(connection: Connection): List<String> =
        connection.texts(everything).filter { row -> marks.any { it in row } }.sorted()

    /** Prevents other sessions from changing these rows until the transaction ends. */
    fun lock(connection: Connection) = OWN.forEach { table ->
        val organizations = tenants.joinToString { "'${it.organization}'" }
        connection.texts("SELECT id::text FROM runledger.$table WHERE organization_id IN ($organizations) FOR UPDATE")
    }

    private companion object {
        const val TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'runledger'"
        val OWN = listOf("job_queue", "workflow_runs", "workflow_step_rows", "job_schedules")
    }
}

private fun Connection.texts(sql: String): List<String> = createStatement().use { statement ->
    statement.executeQuery(sql).use { rows -> buildList { while (rows.next()) add(rows.getString(1)) } }
}
