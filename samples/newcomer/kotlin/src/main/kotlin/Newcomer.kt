import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.awaitRunResult
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.postgres.EmbeddedPostgres

data class Greeting(val name: String)

val greet = jobType<Greeting>("greet")
val shout = jobType<Greeting>("shout")

suspend fun main() = EmbeddedPostgres.start().use { server ->
    val client = RunledgerClient.create(server.database("postgres").dataSource())
    client.migrate()
    val handlers = handlers {
        on(greet) { job -> "Hello, ${job.payload().name}!".also(::println) }
        on(shout) { job -> job.readOutput<String>("greet")!!.uppercase() }
    }
    client.definitions.sync(handlers.jobTypes)
    RunledgerWorker.builder(client).handlers(handlers).start().use {
        client.jobs.enqueue(greet, Greeting("Ada"))
        val loud = workflow("greet-loudly") {
            val greeted = job("greet") { runs(greet, Greeting("Grace")) }
            val shouted = job("shout") {
                runs(shout, Greeting("Grace"))
                after(greeted)
            }
            result(shouted)
        }
        val run = client.workflows.enqueue(loud).runId()
        println(client.workflows.awaitRunResult<String>(Scope.global(), run))
    }
}
