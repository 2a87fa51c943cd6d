package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.postgres.PostgresDatabase
import io.runledger.test.freshLedger
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES

class GracefulShutdownSpec :
    FunSpec({
        test("a process that is told to end gives its unfinished job back unspent and says so") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(renderFilm)
            val job = ledger.client.jobs.enqueue(renderFilm, RenderFilm("Metropolis")).id()
            val service = start(ledger.database)
            try {
                service.inputReader().useLines { lines ->
                    val said = lines.iterator()
                    said.next() shouldBe "rendering Metropolis"
                    service.toHandle().destroy() // unlike destroy() of the process, it leaves the output readable
                    said.asSequence().toList() shouldContainExactly
                        listOf("films-1: 0 finished, 1 released, 0 lost, 0 abandoned")
                }
                check(service.waitFor(1, MINUTES)) { "the service does not end" }
                service.exitValue() shouldBe SIGTERM
            } finally {
                service.destroyForcibly()
            }

            ledger.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.PENDING
            ledger.client.jobs.story(Scope.global(), job).attempts().map { it.outcome() } shouldContainExactly
                listOf(AttemptOutcome.INTERRUPTED)
        }
    })

/** The exit code of a JVM that ended by SIGTERM. */
private const val SIGTERM = 128 + 15

private fun start(database: PostgresDatabase): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val command = ProcessBuilder(
        java,
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        "io.runledger.samples.GracefulShutdown",
    )
    command.environment() += mapOf(
        "JDBC_URL" to "${database.jdbcUrl}?user=${database.user}&password=${database.password}",
        "JOBS_WORKER_ID" to "films-1",
        "JOBS_SHUTDOWN_GRACE_SECONDS" to "0",
    )
    return command.redirectError(ProcessBuilder.Redirect.INHERIT).start()
}
