import io.ktor.server.application.install
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.runledger.dsl.jobType
import io.runledger.ktor.Runledger
import io.runledger.ktor.runledger
import io.runledger.ktor.runledgerHealth
import io.runledger.postgres.EmbeddedPostgres

data class Greeting(val name: String)

val greet = jobType<Greeting>("greet")

fun main() {
    val postgres = EmbeddedPostgres.start().database("postgres")
    embeddedServer(CIO, port = 8080) {
        install(Runledger) {
            dataSource = postgres.dataSource()
            migrate()
            handlers {
                on(greet) { job -> println("Hello, ${job.payload().name}!") }
            }
        }
        routing {
            runledgerHealth("/health")
            post("/greetings/{name}") {
                val job = call.runledger.jobs.enqueue(greet, Greeting(call.parameters["name"]!!))
                call.respondText("${job.id()}")
            }
        }
    }.start(wait = true)
}
