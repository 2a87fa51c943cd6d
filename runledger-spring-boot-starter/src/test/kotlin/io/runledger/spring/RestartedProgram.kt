package io.runledger.spring

import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import org.springframework.boot.ApplicationRunner
import org.springframework.boot.SpringApplication
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.devtools.restart.Restarter
import org.springframework.context.annotation.Bean
import org.springframework.jdbc.core.JdbcTemplate
import kotlin.concurrent.thread

/** A class of the application: after each restart it is another one. */
class Note(val text: String = "")

private val note = JobType.of("note", Note::class.java)

/**
 * An application with devtools. When its job has run, it restarts as after a change of its classes, [RESTARTS] times, and tells what
 * each round finds. The rounds are counted in a system property, because a restart forgets everything else.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(excludeName = ["org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"])
class RestartedApplication {
    @Bean
    fun notes(jdbc: JdbcTemplate): Handlers = Handlers.builder().blocking(note) { job ->
        val round = job.payload().text.toInt()
        val sessions = jdbc.queryForObject(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()",
            Int::class.javaObjectType,
        )
        val workers = jdbc.queryForObject("SELECT count(*) FROM runledger.workers", Int::class.javaObjectType)
        say("$round loader=${Note::class.java.classLoader.javaClass.simpleName} sessions=$sessions workers=$workers")
        thread { if (round < RESTARTS) Restarter.getInstance().restart() else kotlin.system.exitProcess(0) }
        JobOutcome.succeeded("round $round")
    }.build()

    @Bean
    fun enqueue(client: RunledgerClient) = ApplicationRunner {
        val round = Integer.getInteger(ROUND, 0)
        System.setProperty(ROUND, "${round + 1}")
        client.jobs.enqueue(note, Note("$round"))
    }

    private companion object {
        const val ROUND = "restarted.round"
    }
}

const val RESTARTS = 3

private const val SAYS = "restarted: "

private fun say(line: String) = println(SAYS + line)

/** What the program has said. */
fun linesOf(output: Sequence<String>): List<String> = output.filter { it.startsWith(SAYS) }.map { it.removePrefix(SAYS) }.toList()

object RestartedProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        SpringApplication.run(RestartedApplication::class.java, *arguments)
    }
}
