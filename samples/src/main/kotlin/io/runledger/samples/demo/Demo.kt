package io.runledger.samples.demo

import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.workflow.Upstream
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.PostgresDatabase
import io.runledger.samples.Shipment
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.measureTimedValue

/**
 * The program behind `./demo`: a server, a ledger, an order that survives a crash, and a refused workflow.
 *
 * `--live` redraws in place, for terminals. `--console` shows the ledger in the browser until Enter is pressed. `--keep=<file>` keeps the server running until the process is killed, and creates
 * the file when the demo is complete.
 */
fun main(arguments: Array<String>) {
    title("PostgreSQL")
    val (server, started) = measureTimedValue { EmbeddedPostgres.start() }
    println("Version ${server.majorVersion} started in ${started.inWholeMilliseconds} ms on port ${server.port}, without Docker.")
    val database = server.database(server.maintenanceDatabase)
    val client = RunledgerClient.create(database.dataSource())

    val (report, took) = measureTimedValue { client.migrate() }
    println("The ledger is its schema '${report.schema}', migrated in ${took.inWholeMilliseconds} ms.")

    val console = if ("--console" in arguments) DemoConsole.open(client) else null
    console?.let { println("Watch it in the browser: ${it.address}") }

    order(client, database, if ("--live" in arguments) Screen() else Lines())
    wrongWorkflow()

    title("Where to go next")
    println("README.md has the quick starts, docs/ the guides, samples/ small programs with one idea each.")
    console?.use { it.waitForEnter(System.`in`) }
    arguments.firstOrNull { it.startsWith(KEEP) }?.let { keep(database, Path.of(it.removePrefix(KEEP))) }
    server.close()
}

private fun order(client: RunledgerClient, database: PostgresDatabase, stage: Stage) {
    title("Order ${OrderRun.ORDER}: charge, let a person approve, pick three items in parallel, ship")
    val story = OrderRun(client, database, stage).play()
    val shipment = client.workflows.awaitResult(Scope.global(), story.run().id(), Shipment::class.java).join()
    println("\nThe run's result: $shipment")

    title("The same run as a timeline")
    Timeline(client, story).lines().forEach(::println)
    if (stage is Lines) println("\n" + WorkflowGraph.of(story).tree().trimEnd())
}

private fun wrongWorkflow() {
    title("A wrong workflow is refused before anything is written, with everything that is wrong")
    try {
        workflow("orders.fulfil") {
            val charge = job("charge") { maxAttempts(0) }
            job("ship") { after(charge, Upstream.named("aproval")) }
            externalGate("approval") { after(Upstream.named("notify")) }
            job("notify") { after(Upstream.named("approval")) }
        }
        error("This should have been refused.")
    } catch (expected: RunledgerException) {
        println(expected.message!!.prependIndent("  "))
    }
}

private fun keep(database: PostgresDatabase, ready: Path) {
    val server = database.server
    val login = "PGPASSWORD=${database.password} psql -h ${server.host} -p ${server.port} -U ${database.user} ${database.name}"
    println("\nThe database keeps running. Connect to it:\n  $login -c 'TABLE runledger.job_events'")
    println("  ${database.jdbcUrl}?user=${database.user}&password=${database.password}")
    println("Stop it with:\n  kill ${ProcessHandle.current().pid()}")
    Files.createFile(ready)
    // A reader of the demo's output need not wait until the server stops.
    System.out.close()
    System.err.close()
    Thread.currentThread().join()
}

private fun title(text: String) = println("\n— $text —")

private const val KEEP = "--keep="
