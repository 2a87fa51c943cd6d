package io.runledger.exposed

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.NamedParameters
import io.runledger.exposed.sql.Statements

/** The number of other rows in the tables; `-Drunledger.plan-rows=1000000` gives the figures in docs/performance.md. */
val planRows: Long = System.getProperty("runledger.plan-rows")?.toLong() ?: 20_000L

/** The plan of a statement, with the pages that the server read. */
class Plan(val text: String) {
    /** Pages are counted, not time, so the load of the machine does not matter. */
    val pages: Long = Regex("""Buffers: shared hit=(\d+)(?: read=(\d+))?""").find(text)!!.groupValues.drop(1)
        .sumOf { it.toLongOrNull() ?: 0L }

    override fun toString(): String = text
}

/** Runs the statement [name] to get its plan, and rolls back. */
internal fun TestLedger.plan(name: String, bind: Binder.() -> Unit): Plan = database.connect().use { connection ->
    connection.autoCommit = false
    val parameters = NamedParameters.of(Statements(SchemaName.DEFAULT)[name])
    connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) ${parameters.text}").use { statement ->
        Binder(connection, statement, parameters).bind()
        statement.executeQuery().use { lines -> buildString { while (lines.next()) appendLine(lines.getString(1)) } }
    }.also { connection.rollback() }.let(::Plan)
}

/** How 100 jobs of [type] are claimed. */
internal fun TestLedger.claimPlan(type: String = "mail"): Plan = plan("claim/claim") {
    texts("job_types", listOf(type))
    ints("type_limits", listOf(null))
    int("limit", 100)
    text("worker", "w1")
    int("lease_seconds", 60)
    text("origin", "DIRECT")
}
