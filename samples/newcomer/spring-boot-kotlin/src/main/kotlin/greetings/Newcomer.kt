package greetings

import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.postgres.EmbeddedPostgres
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean

val greet = jobType<String>("greet")
val shout = jobType<String>("shout")
@SpringBootApplication(proxyBeanMethods = false)
class Newcomer {
    @Bean
    fun database() = EmbeddedPostgres.start().database("postgres").dataSource()

    @Bean
    fun greetings() = handlers {
        on(greet) { job -> "Hello, ${job.payload()}!".also(::println) }
        on(shout) { job -> job.readOutput<String>("greet")!!.uppercase() }
    }
}

fun main() = runApplication<Newcomer>().use { app ->
    val client = app.getBean(RunledgerClient::class.java)
    client.jobs.enqueue(greet, "Ada")
    val loud = workflow("greet-loudly") {
        val greeted = job("greet") { runs(greet, "Grace") }
        val shouted = job("shout") {
            runs(shout, "Grace")
            after(greeted)
        }
        result(shouted)
    }
    println(client.workflows.awaitResult(Scope.global(), client.workflows.enqueue(loud).runId(), String::class.java).join())
}
