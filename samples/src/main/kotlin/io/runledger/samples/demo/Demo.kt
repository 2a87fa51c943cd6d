package io.runledger.samples.demo

import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.RunledgerException
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.spec.Upstream
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.PostgresDatabase
import io.runledger.samples.orderFulfilment
import kotlin.time.measureTimedValue

/** What `./demo` shows: a server, a ledger, an order on its way, and what happens when something is wrong. */
fun main(arguments: Array<String>) {
    val keep = "--keep" in arguments
    title("PostgreSQL")
    val (server, started) = measureTimedValue { EmbeddedPostgres.builder().start() }
    println(
        "PostgreSQL ${server.majorVersion} started in ${started.inWholeMilliseconds} ms on port ${server.port}, without Docker.",
    )
    val database = server.database("postgres")
    val client = RunledgerClient.create(database.dataSource())

    ledger(client)
    title("An order is fulfilled")
    println(WorkflowGraph.of(orderFulfilment("A-1001", cents = 4_990, items = listOf("lamp", "shade", "bulb"))).tree())
    OrderRun(client).show()
    wrongWorkflow()
    alteredSchema(client, database)

    title("Where to go next")
    println(
        "README.md has the quick start, docs/workflows.md and docs/workers.md the guides, samples/ small programs.",
    )
    if (keep) {
        val login = "PGPASSWORD=${database.password} psql -h ${server.host} -p ${server.port} -U ${database.user} postgres"
        println("\nThe server runs until you press Ctrl-C. Connect: $login")
        Thread.currentThread().join()
    }
    server.close()
}

private fun ledger(client: RunledgerClient) {
    title("The ledger")
    val (report, took) = measureTimedValue { client.migrate() }
    println("Migrated schema '${report.schema}' in ${took.inWholeMilliseconds} ms: ${report.applied.joinToString()}")
    client.requireCompatibleSchema()
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

private fun refused(action: () -> Unit) = try {
    action()
    error("This should have been refused.")
} catch (expected: RunledgerException) {
    println(expected.message!!.prependIndent("  "))
}

private fun PostgresDatabase.execute(sql: String) {
    connect().use { connection -> connection.createStatement().use { it.execute(sql) } }
}

private fun title(text: String) = println("\n— $text —")
