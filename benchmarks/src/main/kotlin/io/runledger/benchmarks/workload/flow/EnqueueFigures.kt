package io.runledger.benchmarks.workload.flow

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.report.median
import io.runledger.exposed.RunledgerClient
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection

/** How long the start of one run takes, through the client and by plain SQL, turn by turn. */
internal class EnqueueFigures(private val database: BenchDatabase, private val rounds: Int) {
    fun measure(report: Report) = database.pool(POOL).use { pool ->
        val client = RunledgerClient.create(pool)
        client.migrate()
        client.definitions.declare(NOOP)
        database.connect().use { connection ->
            connection.autoCommit = false
            SIZES.forEach { (steps, dependencies) -> compare(client, connection, graph(steps, dependencies), report) }
            report("workflow-build-600", List(rounds) { millisOf { graph(600, 2_400) } }, "ms")
        }
    }

    private fun compare(client: RunledgerClient, connection: Connection, request: WorkflowRequest, report: Report) {
        val floor = GraphFloor(connection, request, snapshotOf(client, request))
        checkRows(client, floor, request)
        repeat(rounds) {
            client.workflows.enqueue(request)
            floor.prepare().invoke()
        }
        val ours = ArrayList<Double>()
        val theirs = ArrayList<Double>()
        repeat(rounds) {
            val insert = floor.prepare()
            ours += millisOf { client.workflows.enqueue(request) }
            theirs += millisOf(insert)
        }
        val name = "workflow-enqueue-${request.steps().size}"
        report("$name-runledger", ours, "ms")
        report("$name-floor", theirs, "ms")
        report(name, listOf(ours.median() / theirs.median()), "x-floor")
    }

    private fun snapshotOf(client: RunledgerClient, request: WorkflowRequest): String {
        val run = client.workflows.enqueue(request).runId()
        return database.text("SELECT enqueue_request FROM runledger.workflow_runs WHERE id = '$run'")
    }

    /** Both must have written the same number of rows into every table. */
    private fun checkRows(client: RunledgerClient, floor: GraphFloor, request: WorkflowRequest) {
        val before = rows()
        client.workflows.enqueue(request)
        val between = rows()
        floor.prepare().invoke()
        val after = rows()
        after.keys.forEach { table ->
            val (ours, theirs) = between.getValue(table) - before.getValue(table) to
                after.getValue(table) - between.getValue(table)
            check(ours == theirs) { "Of $table the client wrote $ours rows and the floor $theirs: they cannot be compared." }
        }
    }

    private fun rows(): Map<String, Long> =
        database.text("SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = 'runledger'")
            .split(',').associateWith { database.number("SELECT count(*) FROM runledger.$it") }

    private companion object {
        const val POOL = 4
        val SIZES = listOf(10 to 20, 100 to 400, 600 to 2_400)
    }
}
