package io.runledger.samples.demo

import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.RunledgerException
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.StepRequest
import io.runledger.model.spec.Upstream
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.ReleaseMode
import io.runledger.model.state.StepKind
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.PostgresDatabase
import io.runledger.samples.orderFulfilment
import kotlin.time.measureTimedValue

/** What `./demo` shows: a server, a ledger, a workflow, and what happens when either is wrong. */
fun main(arguments: Array<String>) {
    val keep = "--keep" in arguments
    title("PostgreSQL")
    val (server, started) = measureTimedValue { EmbeddedPostgres.builder().start() }
    println(
        "PostgreSQL ${server.majorVersion} started in ${started.inWholeMilliseconds} ms on port ${server.port}, without Docker.",
    )
    val database = server.database("postgres")
    val client = RunledgerClient.create(database.dataSource())

    ledger(client, database)
    rightWorkflow()
    wrongWorkflow()
    alteredSchema(client, database)

    title("Where to go next")
    println(
        "README.md has the quick start, samples/ small programs, docs/schema.md the tables, docs/errors.md the codes.",
    )
    if (keep) {
        val login = "PGPASSWORD=${database.password} psql -h ${server.host} -p ${server.port} -U ${database.user} postgres"
        println("\nThe server runs until you press Ctrl-C. Connect: $login")
        Thread.currentThread().join()
    }
    server.close()
}

private fun ledger(client: RunledgerClient, database: PostgresDatabase) {
    title("The ledger")
    val (report, took) = measureTimedValue { client.migrate() }
    println("Migrated schema '${report.schema}' in ${took.inWholeMilliseconds} ms: ${report.applied.joinToString()}")
    client.requireCompatibleSchema()
    println("It holds:")
    comments(database).forEach { (table, comment) -> println("  %-28s %s".format(table, comment)) }
}

private fun rightWorkflow() {
    title("A workflow")
    val order = orderFulfilment("A-1001", cents = 4_990, items = listOf("lamp", "shade", "bulb"))
    println("${order.type()}, ${order.steps().size} steps, result: ${order.resultStep()}")
    show(order)
}

private fun wrongWorkflow() {
    title("A wrong workflow is refused before anything is written, with everything that is wrong")
    refused {
        workflow("orders.fulfil") {
            val charge = job("charge") { maxAttempts(0) }
            job("ship") { after(charge, Upstream.named("aproval")) }
            externalGate("approval") { after(Upstream.named("notify")) }
            job("notify") { after(Upstream.named("approval")) }
        }
    }
}

private fun alteredSchema(client: RunledgerClient, database: PostgresDatabase) {
    title("A ledger changed by hand is noticed, by name")
    database.execute("ALTER TABLE runledger.job_queue RENAME COLUMN checkpoint TO savepoint")
    refused { client.requireCompatibleSchema() }
    database.execute("ALTER TABLE runledger.job_queue RENAME COLUMN savepoint TO checkpoint")
    client.requireCompatibleSchema()
    println("(renamed back: compatible again)")
}

private fun show(workflow: WorkflowRequest) = workflow.steps().forEach { step ->
    val mark = if (step.kind() == StepKind.EXTERNAL) "◇" else "▪"
    println("  $mark %-12s %-16s %s".format(step.key(), work(step), waits(step)).trimEnd())
}

private fun work(step: StepRequest): String = if (step is JobStep) step.jobType() else "waits for you"

private fun waits(step: StepRequest): String = step.dependencies().joinToString(
    prefix =
    "after ".takeIf { step.dependencies().isNotEmpty() } ?: "",
) {
    when (it.mode()) {
        ReleaseMode.ON_SUCCESS -> it.step()
        ReleaseMode.ON_FAILURE -> "${it.step()} failed"
        ReleaseMode.ON_TERMINAL -> "${it.step()} ended"
    }
}

private fun refused(action: () -> Unit) = try {
    action()
    error("This should have been refused.")
} catch (expected: RunledgerException) {
    println(expected.message!!.prependIndent("  "))
}

private fun comments(database: PostgresDatabase): List<Pair<String, String>> = database.connect().use { connection ->
    connection.createStatement().use { statement ->
        val rows = statement.executeQuery(
            """
            SELECT relname, obj_description(oid, 'pg_class') FROM pg_class
            WHERE relnamespace = 'runledger'::regnamespace AND relkind IN ('r', 'v')
                AND obj_description(oid, 'pg_class') IS NOT NULL
            ORDER BY relkind, relname
            """,
        )
        generateSequence { if (rows.next()) rows.getString(1) to rows.getString(2) else null }.toList()
    }
}

private fun PostgresDatabase.execute(sql: String) {
    connect().use { connection -> connection.createStatement().use { it.execute(sql) } }
}

private fun title(text: String) = println("\n— $text —")
